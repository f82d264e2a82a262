// `npm run test:suites [-- options]`; `-- --help` prints them. As root, Python's tests are installed where there are none.
import { spawnSync } from 'node:child_process';
import { installTools } from '../../scripts/test-tools.mjs';
import { launch } from '../launch.mjs';

/** @param {string} python @param {string} code */
const run = (python, code) => spawnSync(python, ['-c', code], { encoding: 'utf8' });

const hasTests = ['python3', '/usr/bin/python3'].some(
  (python) => run(python, 'import test.test_multiprocessing_fork').status === 0,
);
if (!hasTests && !process.argv.includes('--help')) {
  const { stdout } = run('/usr/bin/python3', 'import sys; print("python%d.%d" % sys.version_info[:2])');
  const name = stdout?.trim() || 'python3.11';
  installTools([{ provides: `/usr/lib/${name}/test/test_pty.py`, debianPackage: `lib${name}-testsuite` }]);
}

await launch('bench/suites/main.ts');
