import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runtestStatuses } from './busybox.js';
import type { Found } from './suite.js';

/** Programs that have to do with signals, descriptors and waiting. */
const folders = ['timeout', 'env', 'tail', 'dd', 'tee'];
const single = ['misc/nohup.sh'];
const programs = 'timeout nohup env tail dd tee head cat nice sleep printf seq sort stat mkfifo';

/** tests/init.sh is a part of gnulib: a clone has it after its own bootstrap only. */
const parts = ['tests/init.sh', 'init.cfg', 'tests/timeout'];

/** A helper of the build tree that prints numbers; tests that need others fail plainly, too. */
const limits = `#!/bin/sh
echo INT_MAX=2147483647; echo INT_OFLOW=2147483648; echo UINT_MAX=4294967295; echo UINT_OFLOW=4294967296
echo LONG_MAX=9223372036854775807; echo UINTMAX_MAX=18446744073709551615; echo UINTMAX_OFLOW=18446744073709551616
echo SSIZE_MAX=9223372036854775807; echo SIZE_MAX=18446744073709551615; echo OFF_T_MAX=9223372036854775807
echo OFF_T_OFLOW=9223372036854775808; echo TIME_T_OFLOW=9223372036854775808; echo TIME_T_MAX=9223372036854775807
`;

/** A test that hangs by itself must not take the others with it. */
const driver = `export srcdir=$1 abs_srcdir=$1 abs_top_srcdir=$1 abs_top_builddir=$PWD CONFIG_HEADER=/dev/null
export built_programs='${programs}' VERSION=installed LOCALE_FR=none LOCALE_FR_UTF8=none LC_ALL=C PERL=perl
shift
for test; do
  timeout -k 5 60 bash "$srcdir/tests/$test" >log 2>&1 9>&2
  case $? in 0) echo "PASS: $test" ;; 77) echo "SKIPPED: $test" ;; *) echo "FAIL: $test" ;; esac
done
`;

/** Tests of coreutils, with the programs that are installed. `source`: a directory with the source after its bootstrap. */
export function findCoreutilsSuites(source: string | undefined): Found {
  const missing = (why: string): Found => ({ suites: [], missing: [{ name: 'coreutils', why }] });
  if (source === undefined)
    return missing('its tests are in its source: give the directory with --coreutils');
  const absent = parts.find((part) => !existsSync(join(source, part)));
  if (absent !== undefined) return missing(`no ${absent} in ${source}`);
  const version = spawnSync('timeout', ['--version'], { encoding: 'utf8' }).stdout.split('\n')[0] ?? '';
  const scripts = (folder: string) =>
    readdirSync(join(source, 'tests', folder))
      .filter((name) => name.endsWith('.sh'))
      .map((name) => `${folder}/${name}`);
  const groups = [
    ...folders.map((folder) => ({ name: folder, tests: scripts(folder) })),
    { name: 'nohup', tests: single },
  ];
  return {
    suites: groups.map(({ name, tests }) => ({
      name: `coreutils ${name}`,
      version,
      prepare(dir) {
        mkdirSync(join(dir, 'src'));
        writeFileSync(join(dir, 'src', 'getlimits'), limits, { mode: 0o755 });
        writeFileSync(join(dir, 'driver'), driver);
        return { argv: ['bash', './driver', resolve(source), ...tests], cwd: dir };
      },
      statuses: (_dir, output) => runtestStatuses(output),
    })),
    missing: [],
  };
}
