import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Found, Statuses } from './suite.js';

const modules = [
  ...['test_subprocess', 'test_signal', 'test_threading', 'test_pty', 'test_selectors', 'test_socket'],
  ...['test_asyncio', 'test_multiprocessing_fork', 'test_io', 'test_os', 'test_posix'],
];

/** They hang by themselves where the kernel has such sockets and there is no other end. */
const ignored = ['*VSOCK*'];

const probeMsMax = 30_000;

interface Python {
  file: string;
  version: string;
  modules: string[];
}

/** Without the shims of version managers, which are processes of their own. */
const probe = `import importlib.util, platform, sys
print(sys.executable)
print(platform.python_version())
print(' '.join(m for m in sys.argv[1:] if importlib.util.find_spec('test.' + m)))`;

function pythonNamed(name: string): Python | null {
  const { stdout, status } = spawnSync(name, ['-c', probe, ...modules], {
    encoding: 'utf8',
    timeout: probeMsMax,
  });
  const [file = '', version = '', found = ''] = stdout?.split('\n') ?? [];
  return status === 0 && found !== '' ? { file, version, modules: found.split(' ') } : null;
}

/** The modules of Python's own test suite. `names`: interpreters to try in turn. */
export function findPythonSuites(names: readonly string[]): Found {
  const python = names.reduce<Python | null>((found, name) => found ?? pythonNamed(name), null);
  if (python === null) {
    return {
      suites: [],
      missing: [
        { name: 'Python', why: 'no python3 with its tests: Debian has them in libpython3.11-testsuite' },
      ],
    };
  }
  const { file, version, modules: present } = python;
  const absent = modules.filter((name) => !present.includes(name));
  return {
    suites: present.map((name) => ({
      name,
      version: `Python ${version}`,
      prepare: (dir) => ({
        argv: [
          ...[file, '-m', 'test', '-v', '--junit-xml', join(dir, 'results.xml'), '--tempdir', dir],
          ...ignored.flatMap((pattern) => ['--ignore', pattern]),
          name,
        ],
        cwd: dir,
      }),
      statuses: (dir) => readJunit(join(dir, 'results.xml')),
    })),
    missing: absent.map((name) => ({ name, why: `Python ${version} is installed here without it` })),
  };
}

function readJunit(file: string): Statuses {
  return existsSync(file) ? junitStatuses(readFileSync(file, 'utf8')) : new Map();
}

/** As regrtest writes it: output of tests is escaped, so that every tag is one. */
export function junitStatuses(xml: string): Statuses {
  const cases = xml.matchAll(/<testcase\b[^>]*?\bname="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g);
  return new Map(
    [...cases].map(([, name = '', body = '']) => {
      const [, tag] = /<(error|failure|skipped)\b/.exec(body) ?? [];
      return [name, tag ?? 'ok'];
    }),
  );
}
