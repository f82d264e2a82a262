import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findTool } from '../../test/support/find-tool.js';
import { runtestStatuses } from './busybox.js';
import type { Source } from './debian-source.js';
import type { Found } from './suite.js';

/** Programs that have to do with signals, descriptors and waiting, and how their tests are named below tests/. */
const groups: Record<string, RegExp> = {
  timeout: /^misc\/timeout/,
  nohup: /^misc\/nohup/,
  env: /^misc\/(env|printenv)/,
  tail: /^(tail-2\/|misc\/tail)/,
  dd: /^dd\//,
  tee: /^misc\/tee/,
};

export const coreutilsNames = Object.keys(groups).map((name) => `coreutils ${name}`);

const buildMsMax = 30 * 60 * 1000;

/** Its tests are meant for programs of its own build: they are compiled once. null: done; else why not. */
function compile(dir: string): string | null {
  if (existsSync(join(dir, 'src/timeout'))) return null;
  const absent = ['gcc', 'make', 'perl'].find((tool) => findTool(tool) === null);
  if (absent !== undefined) return `its programs must be compiled, and there is no ${absent}`;
  const options = { cwd: dir, encoding: 'utf8', timeout: buildMsMax, maxBuffer: 64 * 1024 * 1024 } as const;
  const env = { ...process.env, FORCE_UNSAFE_CONFIGURE: '1' };
  const configured = spawnSync(join(dir, 'configure'), ['--quiet', '--disable-nls'], { ...options, env });
  if (configured.status !== 0) return `configure fails: ${configured.stderr.slice(-300)}`;
  const made = spawnSync(findTool('make') ?? '', ['-j2'], options);
  return made.status === 0 ? null : `make fails: ${made.stderr.slice(-300)}`;
}

function testsIn(dir: string): string[] {
  return ['misc', 'tail-2', 'dd'].flatMap((folder) =>
    readdirSync(join(dir, 'tests', folder))
      .filter((name) => /\.(sh|pl)$/.test(name) && name !== 'env-S-script.sh')
      .map((name) => `${folder}/${name}`),
  );
}

/** Tests of coreutils, with the programs of its own source: see debian-source.ts. */
export function findCoreutilsSuites(source: Source): Found {
  const missing = (why: string): Found => ({ suites: [], missing: [{ name: 'coreutils', why }] });
  if ('why' in source) return missing(source.why);
  const { dir, version } = source;
  if (!existsSync(join(dir, 'tests/init.sh'))) return missing(`no tests/init.sh in ${dir}`);
  const problem = compile(dir);
  if (problem !== null) return missing(problem);
  const tests = testsIn(dir);
  return {
    suites: Object.entries(groups).map(([name, pattern]) => {
      const chosen = tests.filter((test) => pattern.test(test)).map((test) => `tests/${test}`);
      return {
        name: `coreutils ${name}`,
        version: `coreutils ${version}`,
        prepare: () => ({ argv: ['make', 'check-TESTS', `TESTS=${chosen.join(' ')}`], cwd: dir }),
        statuses: (_dir, output) => runtestStatuses(output),
      };
    }),
    missing: [],
  };
}
