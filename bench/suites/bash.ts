import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTool } from '../../test/support/find-tool.js';
import { runtestStatuses } from './busybox.js';
import type { Source } from './debian-source.js';
import type { Found } from './suite.js';

export const bashNames = ['bash'];

/** Programs of its tests. They need three lines of what `configure` would find out. */
const helpers = ['recho', 'zecho', 'xcase', 'printenv'];
const config = `${['STDLIB_H', 'STRING_H', 'UNISTD_H'].map((name) => `#define HAVE_${name} 1`).join('\n')}
#define PROTOTYPES 1
#define PARAMS(protos) protos
`;

/**
 * A script passes if it prints nothing but warnings. What it prints otherwise is named by a checksum without numbers, which
 * are pids and times, and without its directory. A script that hangs by itself must not take the others with it.
 */
const driver = `here=$PWD
export THIS_SH=$1 BUILD_DIR=$PWD TMPDIR=$PWD PATH=$PWD/tests:$PATH BASH_TSTOUT=$PWD/printed
cd tests
for test in run-*; do
  case $test in run-all | run-minimal | run-gprof | *.orig) continue ;; esac
  timeout -k 5 120 sh "$test" >../said 2>&1 </dev/null
  rm -f "$BASH_TSTOUT"
  sum=$(LC_ALL=C grep -av '^warning:' ../said | LC_ALL=C sed "s,$here,,g; s/[0-9][0-9]*/N/g" | cksum)
  case $sum in *' 0') echo "PASS: $test" ;; *) echo "FAIL: $test, prints $sum" ;; esac
done
`;

/** The tests in the source of bash, with the bash that is installed. */
export function findBashSuite(source: Source): Found {
  const missing = (why: string): Found => ({ suites: [], missing: [{ name: 'bash', why }] });
  if ('why' in source) return missing(source.why);
  const { dir: from, version } = source;
  const file = findTool('bash');
  if (file === null) return missing('bash is not installed');
  if (!existsSync(join(from, 'tests/run-all'))) return missing(`no tests/run-all in ${from}`);
  if (findTool('gcc') === null) return missing('its tests compile helpers, and there is no gcc');
  return {
    suites: [
      {
        name: 'bash',
        version: `bash ${version}`,
        prepare(dir) {
          cpSync(join(from, 'tests'), join(dir, 'tests'), { recursive: true });
          compileHelpers(from, dir);
          writeFileSync(join(dir, 'driver'), driver);
          return { argv: ['sh', './driver', file], cwd: dir };
        },
        statuses: (_dir, output) => runtestStatuses(output),
      },
    ],
    missing: [],
  };
}

function compileHelpers(from: string, dir: string): void {
  mkdirSync(join(dir, 'include'));
  writeFileSync(join(dir, 'include/config.h'), config);
  for (const helper of helpers) {
    const includes = [join(dir, 'include'), from, join(from, 'include')].map((path) => `-I${path}`);
    const words = ['-w', ...includes, '-o', join(dir, 'tests', helper), join(from, 'support', `${helper}.c`)];
    const { status, stderr } = spawnSync('gcc', words, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`cannot compile ${helper}: ${stderr}`);
  }
}
