import { family, type HangCase, withLibrary } from '../hang-case.js';

const pythonModules = '/usr/lib/python3/dist-packages';

const server = (name: string) => ['sh', '{hangs}/servers.sh', name];

export const nettyJars = ['common', 'buffer', 'transport', 'resolver'].map(
  (part) => `/usr/share/java/netty-${part}.jar`,
);

export const netty = (...args: string[]) => [
  'java',
  '-cp',
  nettyJars.join(':'),
  '{hangs}/netty.java',
  ...args,
];

/** Common servers and the servers of event libraries. None of them has work to do. */
export const idleServers: HangCase[] = family(
  'service at rest',
  { label: 'healthy', actor: 'nobody', stdin: 'null' },
  [
    {
      name: 'nginx-idle',
      why: 'nginx has no clients: the master waits for signals, its worker for connections.',
      run: server('nginx'),
      needs: ['nginx'],
      stdin: 'null',
      kinds: ['service'],
    },
    {
      name: 'redis-idle',
      why: 'redis has no clients; it wakes up ten times a second.',
      run: server('redis'),
      needs: ['redis-server'],
      stdin: 'null',
      kinds: ['service', 'timer'],
    },
    {
      name: 'memcached-idle',
      why: 'memcached has no clients: threads with an epoll each, some of them with timers.',
      run: server('memcached'),
      needs: ['memcached', 'setpriv'],
      stdin: 'null',
      kinds: ['service', 'timer'],
    },
    {
      name: 'mariadb-idle',
      why: 'MariaDB has no clients.',
      run: server('mariadb'),
      needs: ['mariadbd', 'mariadb-install-db', 'setpriv'],
      stdin: 'null',
      kinds: ['service', 'timer'],
    },
    {
      name: 'rsync-daemon',
      why: 'the rsync daemon has no clients.',
      run: server('rsync'),
      needs: ['rsync', 'python3'],
      stdin: 'null',
      kinds: ['service', 'timer'],
    },
    {
      name: 'sshd-quiet-login',
      why: 'a user is logged in and does not type: sshd and its session wait for both sides.',
      run: ['sh', '{hangs}/sshd.sh', 'serve', '{port}'],
      outside: ['sh', '{hangs}/sshd.sh', 'login'],
      needs: ['/usr/sbin/sshd', 'ssh', 'ssh-keygen', 'python3'],
      rootOnly: 'logs in',
      stdin: 'null',
      kinds: ['service', 'timer', 'network'],
    },
    {
      name: 'socat-listen',
      why: 'socat waits for the first client of its socket.',
      run: ['socat', 'UNIX-LISTEN:socket,fork', 'EXEC:cat'],
      stdin: 'null',
      kinds: ['service', 'timer'],
    },
    {
      name: 'qemu-monitor',
      why: 'qemu without a machine serves its monitor on a socket.',
      run: server('qemu'),
      needs: ['qemu-system-x86_64'],
      stdin: 'null',
      kinds: ['service', 'timer'],
    },
    ...['gevent', 'twisted', 'tornado'].map((library) => ({
      name: `${library}-server`,
      why: `a server of ${library} has no clients.`,
      run: ['python3', '{hangs}/event-loops.py', library],
      needs: [`${pythonModules}/${library}`],
      stdin: 'null' as const,
      kinds: ['service' as const, 'timer' as const],
    })),
    {
      name: 'libevent-server',
      why: 'a server of libevent has no clients.',
      run: withLibrary('libevent', 'event', 'listen'),
      needs: ['gcc', '/usr/include/event2/event.h'],
      stdin: 'null',
      kinds: ['service'],
    },
    {
      name: 'erlang-server',
      why: 'an Erlang process accepts connections, and none comes.',
      run: [
        'erl',
        '-noinput',
        '-eval',
        '{ok, L} = gen_tcp:listen(0, [{ip, {127, 0, 0, 1}}]), gen_tcp:accept(L).',
      ],
      stdin: 'null',
      kinds: ['service', 'timer'],
    },
    {
      name: 'netty-server',
      why: 'a Netty server has no clients; its main thread waits for the end of the channel.',
      run: netty('serve'),
      needs: ['javac', ...nettyJars],
      stdin: 'null',
      kinds: ['service', 'timer'],
    },
  ],
);
