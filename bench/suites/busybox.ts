import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTool } from '../../test/support/find-tool.js';
import type { Found, Statuses } from './suite.js';

/** Programs like those of coreutils. Those of coreutils itself are tested only from its own build tree. */
const applets = [
  ...[
    'cat',
    'cp',
    'cut',
    'date',
    'dd',
    'du',
    'echo',
    'expand',
    'expr',
    'factor',
    'false',
    'fold',
    'head',
    'ln',
    'ls',
  ],
  ...[
    'md5sum',
    'mkdir',
    'mv',
    'nl',
    'od',
    'paste',
    'pwd',
    'rm',
    'rmdir',
    'seq',
    'sha1sum',
    'sort',
    'sum',
    'tail',
    'tee',
  ],
  ...[
    'test',
    'touch',
    'tr',
    'true',
    'uniq',
    'wc',
    'awk',
    'find',
    'grep',
    'sed',
    'tar',
    'xargs',
    'pidof',
    'ash',
  ],
];

/** Of the source: the tests, and a helper that they compile. */
const parts = ['testsuite', 'scripts/echo.c'];

/** The tests are in the source of busybox only: `source` is a directory with it. They test the busybox that is installed. */
export function findBusyboxSuite(source: string | undefined): Found {
  const file = findTool('busybox');
  const missing = (why: string): Found => ({ suites: [], missing: [{ name: 'busybox', why }] });
  if (file === null) return missing('busybox is not installed');
  if (source === undefined) return missing('its tests are in its source: give the directory with --busybox');
  const absent = parts.find((part) => !existsSync(join(source, part)));
  if (absent !== undefined) return missing(`no ${absent} in ${source}`);
  if (findTool('gcc') === null) return missing('its tests compile a helper, and there is no gcc');
  const [version = ''] = /BusyBox v\S+/.exec(spawnSync(file, [], { encoding: 'utf8' }).stdout) ?? [];
  return {
    suites: [
      {
        name: 'busybox',
        version,
        prepare(dir) {
          for (const part of parts) cpSync(join(source, part), join(dir, part), { recursive: true });
          copyFileSync(file, join(dir, 'busybox'));
          writeFileSync(join(dir, '.config'), configOf(join(dir, 'testsuite')));
          return { argv: ['./runtest', ...applets], cwd: join(dir, 'testsuite') };
        },
        statuses: (_dir, output) => runtestStatuses(output),
      },
    ],
    missing: [],
  };
}

/** With every feature that a test asks for: a test of one that is missing fails plainly, too. */
function configOf(tests: string): string {
  const texts = readdirSync(tests)
    .filter((name) => name.endsWith('.tests'))
    .map((name) => readFileSync(join(tests, name), 'utf8'));
  const asked = [...texts.join('\n').matchAll(/^\s*optional ([A-Z0-9_ ]+)/gm)].flatMap(([, names = '']) =>
    names.trim().split(' '),
  );
  return [...new Set(asked)].map((name) => `CONFIG_${name}=y\n`).join('');
}

/** Lines such as `PASS: tail-works`, of busybox and of Automake. A name may come again. */
export function runtestStatuses(output: string): Statuses {
  const statuses: Statuses = new Map();
  for (const [, status = '', name = ''] of output.matchAll(
    /^(PASS|FAIL|SKIPPED|UNTESTED|SKIP|XFAIL|XPASS|ERROR): (.*)$/gm,
  )) {
    let free = name;
    for (let count = 2; statuses.has(free); count += 1) free = `${name} (${count})`;
    statuses.set(free, status);
  }
  return statuses;
}
