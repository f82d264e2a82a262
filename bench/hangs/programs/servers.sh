#!/bin/sh
# A server in the current directory that no client uses: nginx, redis, memcached, rsync, mariadb or qemu.
# One that refuses to run as root, or to serve, is a normal user.
case $1 in
nginx)
  mkdir logs
  cat >nginx.conf <<END
daemon off;
pid nginx.pid;
error_log stderr;
worker_processes 1;
events {}
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  server { listen unix:$PWD/nginx.sock; }
}
END
  exec nginx -p . -e stderr -c nginx.conf
  ;;
redis) exec redis-server --port 0 --unixsocket redis.sock --save '' --logfile /dev/null ;;
memcached)
  [ "$(id -u)" != 0 ] || exec setpriv --reuid 65534 --regid 65534 --clear-groups memcached -l 127.0.0.1 -p -1 -U 0
  exec memcached -l 127.0.0.1 -p -1 -U 0
  ;;
rsync)
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])') || exit 1
  : >rsyncd.conf
  exec rsync --daemon --no-detach --address=127.0.0.1 --port="$port" --config=rsyncd.conf
  ;;
mariadb)
  if [ "$(id -u)" = 0 ]; then
    mkdir data && chown 65534:65534 data && chmod 711 . || exit 1
    exec setpriv --reuid 65534 --regid 65534 --clear-groups sh "$0" mariadb
  fi
  mkdir -p data/tmp && cd data || exit 1
  export TMPDIR="$PWD/tmp"
  mariadb-install-db --no-defaults --datadir="$PWD/db" --auth-root-authentication-method=normal --skip-test-db >/dev/null 2>&1 || exit 1
  exec mariadbd --no-defaults --datadir="$PWD/db" --tmpdir="$PWD/tmp" --skip-networking --socket="$PWD/s" --pid-file="$PWD/pid"
  ;;
qemu) exec qemu-system-x86_64 -M none -nodefaults -display none -monitor "unix:$PWD/monitor,server=on,wait=off" ;;
esac
