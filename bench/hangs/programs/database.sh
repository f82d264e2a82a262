#!/bin/sh
# A database server beside a case; prints 0 when it is ready. postgres: another session locks table t until argv[2]
# seconds after a client began to wait for it, for ever (idle: in a
# transaction that its client never ends) or not at all (free). mariadb, redis: the server alone.
here=$(dirname "$0")
case $1 in
postgres)
  sh "$here/postgres.sh" >/dev/null 2>&1 &
  ask() { psql -X -qAt -h "$PWD/data/db" -U x postgres "$@"; }
  until ask -c 'create table t (n int)' 2>/dev/null; do sleep 0.1; done
  case $2 in
  free) ;;
  idle)
    mkfifo statements && exec 3<>statements
    ask <statements &
    echo 'begin; lock table t;' >&3
    ;;
  *) ask -c "do \$\$ begin lock table t; while not exists (select from pg_locks where not granted) loop perform pg_sleep(0.1); end loop;
    perform pg_sleep($2); end \$\$" & ;;
  esac
  until [ "$2" = free ] || ask -c "select 1 from pg_locks where relation = 't'::regclass" | grep -q 1; do sleep 0.1; done
  ;;
mariadb)
  sh "$here/servers.sh" mariadb >/dev/null 2>&1 &
  until [ -S data/s ]; do sleep 0.1; done
  ;;
redis)
  sh "$here/servers.sh" redis >/dev/null 2>&1 &
  until [ -S redis.sock ]; do sleep 0.1; done
  ;;
esac
echo 0
wait
