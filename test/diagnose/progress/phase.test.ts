import { describe, expect, test } from 'vitest';
import { phaseByRules, phaseOf } from '../../../src/diagnose/progress/phase.js';
import { advanceProgress, phaseOfProgress, startProgress } from '../../../src/diagnose/progress/progress.js';

describe('the phase of a run', () => {
  test.each([
    [['sh', 'cargo', 'rustc', 'rustc'], null, 'compile'],
    [['make', 'gcc', 'cc1'], null, 'compile'],
    [['make', 'g++', 'cc1plus', 'cc1plus', 'cc1plus', 'collect2', 'ld'], null, 'compile'],
    [['cargo', 'rustc', 'cc', 'collect2', 'ld'], null, 'link'],
    [['ninja', 'clang++', 'ld.lld'], null, 'link'],
    [['go', 'compile', 'compile', 'link'], null, 'compile'],
    [['go', 'demo.test'], null, 'test'],
    [['npm run test', 'sh', 'node (vitest 1)', 'esbuild'], null, 'test'],
    [['python3', 'pytest'], null, 'test'],
    [['npm install', 'node'], null, 'install'],
    [['npm ci'], null, 'install'],
    [['npm run build', 'sh', 'tsc'], null, 'compile'],
    [['npm run build', 'node'], null, null],
    [['apt-get', 'dpkg', 'tar', 'xz'], null, 'archive'],
    [['apt-get', 'dpkg', 'tar', 'xz'], 'install', 'install'],
    [['pip', 'cc1plus'], 'install', 'compile'],
    [['git', 'git-remote-http'], null, 'download'],
    [['curl'], null, 'download'],
    [['docker'], null, 'build'],
    [['docker'], 'test', 'test'],
    [['cargo', 'demo-8a3229346681'], 'test', 'test'],
    [['bash', 'sleep'], null, null],
    [[], 'download', 'download'],
    [[], null, null],
  ])('programs %j and the phase %s in the output: %s', (programs, recognised, phase) => {
    expect(phaseOf(programs, recognised)).toBe(phase);
  });

  test.each([
    [[{ name: 'migrate', pattern: /alembic|migrat/ }], ['rustc'], 'running migration 12', 'migrate'],
    [[{ name: 'native', pattern: /^rustc$/g }], ['cargo', 'rustc'], '', 'native'],
    [
      [
        { name: 'first', pattern: /a/ },
        { name: 'second', pattern: /a/ },
      ],
      [],
      'a',
      'first',
    ],
    [[{ name: 'never', pattern: /xyz/ }], ['rustc'], 'abc', null],
  ])('the first rule of the user that fits, each time: %j', (rules, programs, lastLine, phase) => {
    for (let time = 0; time < 2; time++) {
      expect(phaseByRules(rules, programs, lastLine, () => {})).toBe(phase);
    }
  });
});

describe('the phase from the output', () => {
  const phaseAfter = (line: string) =>
    phaseOfProgress(advanceProgress(advanceProgress(startProgress, line, 0), line, 1000));

  test.each([
    '7% done',
    '7% building',
    '42%',
    '[ 50%] page 3',
    '45% [=====>     ]',
    '[#####-----] 3/7',
    '##### 10.0%',
    '[1/3] Building the docs',
    '[2/3] Running checks',
    '[2/3] Linking things up',
    '...',
    '..!',
    'ok 5 files',
    '1..10',
    '    ✓ copied the files',
    '✔ copied (3 files)',
    '-- Dumping data for table users',
    'checking the disk... ok',
    'Processing file1',
    'Collecting data',
    'Downloading the data',
    'Removing old files',
    'Setting up the database',
    'Unpacking things',
    'cc the team',
    'Processing files: 50% (5/10)',
    'main.py Error: no such file',
  ])('%s names no phase: any program prints that', (line) => {
    expect(phaseAfter(line)).toBeNull();
  });

  test.each([
    ['[ 11%] Building C object CMakeFiles/parts.dir/f1.c.o', 'compile'],
    ['[3/9] Building CXX object a.o', 'compile'],
    ['22% building 3/5 entries 10/20 dependencies 4/9 modules', 'bundle'],
    ['<s> [webpack.Progress] 8% setup compilation', 'bundle'],
    ['6% [1 hello 4096 B/53.1 kB 8%]', 'download'],
    ['Setting up libc6:amd64 (2.36-9) ...', 'install'],
    ['cc    -c -o f1.o f1.c', 'compile'],
  ])('%s is from a tool in the phase %s', (line, phase) => {
    expect(phaseAfter(line)).toBe(phase);
  });
});
