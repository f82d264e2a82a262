#!/bin/sh
# A PostgreSQL server of its own in the current directory, on a unix socket only. It refuses to run as root.
# The socket is in its data directory, where it works: a relative path is never too long for a socket.
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1) || exit 1
if [ "$(id -u)" = 0 ]; then
  mkdir data && chown 65534:65534 data && chmod 711 . || exit 1
  exec setpriv --reuid 65534 --regid 65534 --clear-groups sh "$0"
fi
mkdir -p data && chmod 700 data && cd data || exit 1
"$bin/initdb" -D db -A trust --no-sync -U x >/dev/null 2>&1 || exit 1
exec "$bin/postgres" -D db -c listen_addresses= -k . -c logging_collector=off -c dynamic_shared_memory_type=mmap
