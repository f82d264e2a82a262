// `npm run test:suites [-- options]`; `-- --help` prints them. As root, Python's tests are installed where there are none.
import { spawnSync } from 'node:child_process';
import { installTools } from '../../scripts/test-tools.mjs';
import { launch } from '../launch.mjs';

const hasTests = ['python3', '/usr/bin/python3'].some(
  (python) => spawnSync(python, ['-c', 'import test.test_pty'], { stdio: 'ignore' }).status === 0,
);
if (!hasTests) {
  installTools([{ provides: '/usr/share/doc/libpython3-testsuite', debianPackage: 'libpython3-testsuite' }]);
}

await launch('bench/suites/main.ts');
