import type { Recogniser } from '../recogniser.js';
import { javascriptTests } from './javascript-tests.js';

const test = { phase: 'test' } as const;

export const testRunners: Recogniser[] = [
  {
    ...test,
    tool: 'pytest',
    says: 'measure',
    pattern:
      /(?:^\[gw\d{1,4}\]| ) ?\[ {0,2}(?<percent>\d{1,3})%\](?:$| (?:PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS) )/,
    examples: [
      'test_a.py .................F............                                 [ 93%]',
      'test_a.py::test_many[7] PASSED                                           [ 25%]',
      '.................F..............                                         [100%]',
      '[gw1] [  6%] PASSED py/test_a.py::test_many[5]',
    ],
  },
  {
    ...test,
    tool: 'pytest',
    says: 'sign',
    pattern: /^\S{1,200}\.py [.FEsxX]{1,300}(?: |$)/,
    examples: ['test_a.py .........'],
  },
  {
    ...test,
    tool: 'pytest',
    says: 'sign',
    pattern: /^(?:\S{1,200}\.py::\S{1,200} ?$|collecting (?:\.\.\.|\d)|collected \d)/,
    examples: ['py/test_a.py::test_many[4]', 'collected 32 items', 'collecting ... collected 32 items'],
  },
  {
    ...test,
    tool: 'pytest',
    says: 'end',
    pattern: /^(?:={3,} )?(?:no tests ran|\d{1,7} (?:passed|failed|skipped|deselected|xfailed|errors?)\b)/,
    examples: [
      '========================= 1 failed, 31 passed in 0.88s =========================',
      '1 failed, 31 passed in 0.84s',
    ],
  },
  {
    ...test,
    tool: 'unittest',
    says: 'item',
    unit: 'tests',
    pattern: /^(?<name>\w{1,200} \([\w.]{1,300}\)) \.\.\. (?:ok|FAIL|ERROR|skipped)/,
    examples: ['test_a (ut.T.test_a) ... ok', "test_b (ut.T) ... skipped 'no'"],
  },
  {
    ...test,
    tool: 'unittest',
    says: 'end',
    pattern: /^Ran \d{1,7} tests? in /,
    examples: ['Ran 2 tests in 0.000s'],
  },
  {
    ...test,
    tool: 'cargo test',
    says: 'total',
    unit: 'tests',
    pattern: /^running (?<total>\d{1,7}) tests?$/,
    examples: ['running 4 tests', 'running 1 test'],
  },
  {
    ...test,
    tool: 'cargo test',
    says: 'item',
    unit: 'tests',
    pattern: /^test (?<name>.{1,300}?) \.\.\. (?:ok|FAILED|ignored)\b/,
    examples: [
      'test tests::adds ... ok',
      'test tests::slow ... ignored',
      'test src/lib.rs - add (line 3) ... ok',
    ],
  },
  {
    ...test,
    tool: 'cargo test',
    says: 'end',
    pattern: /^test result: /,
    examples: [
      'test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s',
    ],
  },
  {
    ...test,
    tool: 'nextest',
    says: 'measure',
    pattern:
      /^ {0,12}(?:PASS|FAIL|LEAK|TIMEOUT|SIGKILL) \[[^\]]{1,20}\] \( {0,6}(?<done>\d{1,7})\/(?<total>\d{1,7})\) /,
    examples: ['        PASS [   0.004s] (  3/120) demo tests::adds'],
  },
  {
    ...test,
    tool: 'go test',
    says: 'item',
    unit: 'tests',
    pattern: /^ {0,40}--- (?:PASS|FAIL|SKIP): (?<name>\S{1,300}) \(/,
    examples: [
      '--- PASS: TestOne (0.00s)',
      '    --- PASS: TestTwo/sub_case (0.00s)',
      '--- FAIL: TestBad (0.00s)',
    ],
  },
  {
    ...test,
    tool: 'go test',
    says: 'sign',
    pattern: /^=== (?:RUN|CONT|PAUSE|NAME) +(?<name>\S{1,300})/,
    examples: ['=== RUN   TestTwo/sub_case'],
  },
  {
    ...test,
    tool: 'go test',
    says: 'item',
    unit: 'packages',
    pattern:
      /^(?:ok|FAIL|\?) +(?<name>\S{1,300}) +(?:\d{1,6}\.\d{1,4}s|\(cached\)|\[no test files\]|\[build failed\])/,
    examples: [
      'ok   demo/a 0.008s',
      'FAIL demo/b 0.010s',
      '?    demo/c [no test files]',
      'ok   demo/a (cached)',
    ],
  },
  ...javascriptTests,
  {
    tool: 'TAP',
    says: 'total',
    unit: 'tests',
    pattern: /^1\.\.(?<total>\d{1,7})$/,
    examples: ['1..240'],
  },
  {
    ...test,
    tool: 'TAP',
    says: 'measure',
    unit: 'tests',
    pattern: /^(?:not )?ok (?<done>\d{1,7}) - /,
    examples: ['ok 12 - adds', 'not ok 13 - subtracts'],
  },
  {
    // Without a name the line may be anything that is ok.
    tool: 'TAP',
    says: 'measure',
    unit: 'tests',
    pattern: /^(?:not )?ok (?<done>\d{1,7})(?: |$)/,
    examples: ['ok 12', 'not ok 13 # time=0.2ms'],
  },
  {
    ...test,
    tool: 'ctest',
    says: 'measure',
    pattern: /^ {0,4}(?<done>\d{1,7})\/(?<total>\d{1,7}) Test +#\d/,
    examples: ['2/5 Test #2: t2 ...............................   Passed    0.00 sec'],
  },
  {
    ...test,
    tool: 'ctest',
    says: 'end',
    pattern: /^\d{1,3}% tests passed, /,
    examples: ['100% tests passed, 0 tests failed out of 5'],
  },
  {
    ...test,
    tool: 'playwright',
    says: 'measure',
    pattern: /^\[(?<done>\d{1,7})\/(?<total>\d{1,7})\] (?:\[[^\]]{1,60}\] )?› /,
    examples: ['[12/340] [chromium] › a.spec.ts:3:1 › signs in'],
  },
  {
    ...test,
    tool: 'maven',
    says: 'item',
    unit: 'test sets',
    pattern: /^\[(?:INFO|WARNING|ERROR)\] Tests run: \d{1,7}, .{1,200} (?:in|--) (?<name>[\w.$]{1,300})$/,
    examples: [
      '[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in org.demo.AppTest',
    ],
  },
];
