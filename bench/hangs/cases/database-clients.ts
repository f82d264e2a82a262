import { family } from '../hang-case.js';

const postgres = ['/usr/lib/postgresql', 'setpriv'];
const mariadb = ['mariadbd', 'mariadb-install-db', 'setpriv'];
const psql = ['psql', '-X', '-h', '{tmp}/data/db', '-U', 'x', 'postgres'];
const mysql = ['mariadb', '--no-defaults', '-u', 'root', '-S', '{tmp}/data/s'];

const database = (...args: string[]) => ['sh', '{hangs}/database.sh', ...args];

/** The server answers, only late. */
export const lateDatabases = family('slow network', { label: 'healthy', actor: 'nobody' }, [
  {
    name: 'psql-lock-late',
    why: 'another session holds the lock on the table and gives it back after eight minutes.',
    run: [...psql, '-c', 'insert into t values (1)'],
    outside: database('postgres', '{eight-minutes-in-seconds}'),
    needs: postgres,
    stdin: 'null',
    kinds: ['network', 'lock', 'timer'],
    goesOn: true,
  },
  {
    name: 'mysql-slow-query',
    why: 'MariaDB answers the query after eight minutes.',
    run: [...mysql, '-e', 'select sleep({eight-minutes-in-seconds})'],
    outside: database('mariadb'),
    needs: mariadb,
    stdin: 'null',
    kinds: ['network', 'timer', 'working'],
    goesOn: true,
  },
  {
    name: 'redis-blocking-pop',
    why: 'redis answers after eight minutes that no element came.',
    run: ['redis-cli', '-s', 'redis.sock', 'blpop', 'queue', '{eight-minutes-in-seconds}'],
    outside: database('redis'),
    needs: ['redis-server'],
    stdin: 'null',
    kinds: ['network', 'timer'],
    goesOn: true,
  },
  {
    name: 'sqlite-busy-timeout',
    why: 'another process holds the database, and sqlite3 tries again until it gives it back.',
    run: ['sh', '-c', ": >asked; exec sqlite3 -cmd '.timeout 60000' db 'create table u (n)'"],
    outside: ['python3', '{hangs}/sqlite-hold.py', '{eight-minutes-in-seconds}'],
    needs: ['sqlite3'],
    stdin: 'null',
    kinds: ['timer', 'lock'],
    goesOn: true,
  },
]);

export const silentDatabases = family(
  'peer that never answers',
  { label: 'stuck', actor: 'the other side' },
  [
    {
      name: 'psql-lock-never',
      why: 'another session locks the table in a transaction that its client does not end.',
      run: [...psql, '-c', 'insert into t values (1)'],
      outside: database('postgres', 'idle'),
      needs: postgres,
      stdin: 'null',
      kinds: ['network', 'lock'],
    },
    {
      name: 'rsync-silent-server',
      why: 'the server takes the connection and does not greet.',
      run: ['rsync', 'rsync://127.0.0.1:{port}/x/', 'copy'],
      outside: ['{bin}/tcp-server', 'epoll'],
      stdin: 'null',
      kinds: ['network'],
    },
  ],
);

export const databasePrompts = family(
  'prompt of a client',
  { label: 'stuck', actor: 'whoever may type', kinds: ['needs-input'] },
  [
    {
      name: 'psql-prompt',
      why: 'psql is connected and waits for a statement.',
      run: psql,
      outside: database('postgres', 'free'),
      needs: postgres,
      stdin: 'pty',
      kinds: ['needs-input'],
      names: 'psql',
    },
    {
      name: 'mysql-prompt',
      why: 'the client of MariaDB is connected and waits for a statement.',
      run: mysql,
      outside: database('mariadb'),
      needs: mariadb,
      stdin: 'pty',
      kinds: ['needs-input'],
      names: 'mariadb',
    },
    {
      name: 'redis-pipe-open',
      why: 'redis-cli --pipe reads commands from a pipe that stays open and empty.',
      run: ['redis-cli', '-s', 'redis.sock', '--pipe'],
      outside: database('redis'),
      needs: ['redis-server'],
      stdin: 'pipe',
      kinds: ['needs-input', 'network'],
    },
    {
      name: 'socat-silent-both',
      why: 'socat relays between its stdin and a server, and both are silent.',
      run: ['socat', '-', 'TCP:127.0.0.1:{port}'],
      outside: ['{bin}/tcp-server', 'epoll'],
      stdin: 'pipe',
      kinds: ['needs-input', 'network'],
    },
    {
      name: 'qemu-monitor-prompt',
      why: 'qemu without a machine has its monitor on the terminal.',
      run: ['qemu-system-x86_64', '-M', 'none', '-nodefaults', '-display', 'none', '-monitor', 'stdio'],
      stdin: 'pty',
      kinds: ['needs-input'],
    },
  ],
);
