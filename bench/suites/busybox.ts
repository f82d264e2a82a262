import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, writeFileSync } from 'node:fs';
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

/** The tests are in the source of busybox only: `source` is a directory with it. They test the busybox that is installed. */
export function findBusyboxSuite(source: string | undefined): Found {
  const file = findTool('busybox');
  const missing = (why: string): Found => ({ suites: [], missing: [{ name: 'busybox', why }] });
  if (file === null) return missing('busybox is not installed');
  if (source === undefined) return missing('its tests are in its source: give the directory with --busybox');
  if (!existsSync(join(source, 'testsuite/runtest'))) return missing(`no testsuite/runtest in ${source}`);
  const [version = ''] = /BusyBox v\S+/.exec(spawnSync(file, [], { encoding: 'utf8' }).stdout) ?? [];
  return {
    suites: [
      {
        name: 'busybox',
        version,
        prepare(dir) {
          cpSync(join(source, 'testsuite'), join(dir, 'testsuite'), { recursive: true });
          copyFileSync(file, join(dir, 'busybox'));
          writeFileSync(join(dir, '.config'), '');
          return { argv: ['./runtest', ...applets], cwd: join(dir, 'testsuite') };
        },
        statuses: (_dir, output) => runtestStatuses(output),
      },
    ],
    missing: [],
  };
}

/** Lines such as `PASS: tail-works`. A name may come again. */
export function runtestStatuses(output: string): Statuses {
  const statuses: Statuses = new Map();
  for (const [, status = '', name = ''] of output.matchAll(/^(PASS|FAIL|SKIPPED|UNTESTED): (.*)$/gm)) {
    let free = name;
    for (let count = 2; statuses.has(free); count += 1) free = `${name} (${count})`;
    statuses.set(free, status);
  }
  return statuses;
}
