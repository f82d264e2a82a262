// `node bench/hangs/install-tools.mjs`, as root: installs the servers and libraries of the cases. Cases whose tools are missing are left out.
import { runMain } from '../../scripts/run-main.mjs';
import { installTools } from '../../scripts/test-tools.mjs';

const pythonModules = '/usr/lib/python3/dist-packages';

await runMain(import.meta, () =>
  installTools([
    { provides: 'nginx', debianPackage: 'nginx-light' },
    { provides: 'redis-server', debianPackage: 'redis-server' },
    { provides: 'memcached', debianPackage: 'memcached' },
    { provides: 'mariadbd', debianPackage: 'mariadb-server' },
    { provides: 'mariadb', debianPackage: 'mariadb-client' },
    { provides: '/usr/lib/postgresql', debianPackage: 'postgresql' },
    { provides: '/usr/sbin/sshd', debianPackage: 'openssh-server' },
    { provides: 'rsync', debianPackage: 'rsync' },
    { provides: 'socat', debianPackage: 'socat' },
    { provides: 'qemu-system-x86_64', debianPackage: 'qemu-system-x86' },
    { provides: 'erl', debianPackage: 'erlang-base' },
    { provides: '/usr/share/java/netty-transport.jar', debianPackage: 'libnetty-java' },
    { provides: `${pythonModules}/gevent`, debianPackage: 'python3-gevent' },
    { provides: `${pythonModules}/twisted`, debianPackage: 'python3-twisted' },
    { provides: `${pythonModules}/tornado`, debianPackage: 'python3-tornado' },
    { provides: `${pythonModules}/gi`, debianPackage: 'python3-gi' },
    { provides: '/usr/include/event2/event.h', debianPackage: 'libevent-dev' },
    { provides: '/usr/include/ev.h', debianPackage: 'libev-dev' },
    { provides: 'pytest-3', debianPackage: 'python3-pytest' },
    { provides: `${pythonModules}/xdist`, debianPackage: 'python3-pytest-xdist' },
    { provides: '/usr/share/java/junit-platform-console-standalone.jar', debianPackage: 'junit5' },
    { provides: 'mocha', debianPackage: 'mocha' },
    { provides: 'sqlite3', debianPackage: 'sqlite3' },
    { provides: 'ruby', debianPackage: 'ruby' },
    { provides: 'cpulimit', debianPackage: 'cpulimit' },
    { provides: 'dialog', debianPackage: 'dialog' },
    { provides: 'fzf', debianPackage: 'fzf' },
    { provides: 'htop', debianPackage: 'htop' },
    { provides: 'gdb', debianPackage: 'gdb' },
    { provides: 'strace', debianPackage: 'strace' },
  ]),
);
