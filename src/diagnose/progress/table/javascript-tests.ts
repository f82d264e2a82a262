import type { Recogniser } from '../recogniser.js';

const test = { phase: 'test' } as const;

/** Test runners of JavaScript. */
export const javascriptTests: Recogniser[] = [
  {
    ...test,
    tool: 'vitest',
    says: 'measure',
    pattern: /^ {1,8}(?<series>Test Files|Tests) +(?<sum>\d[^(]{1,200}) \((?<total>\d{1,7})\)/,
    examples: [' Test Files 1 passed (4)', '      Tests  1 failed | 5 passed | 2 skipped (8)'],
  },
  {
    ...test,
    tool: 'vitest',
    says: 'item',
    unit: 'test files',
    pattern: /^ {1,3}[✓×❯↓] (?<name>(?:\|\S{1,60}\| )?\S{1,300}) \(\d{1,6} tests?/,
    examples: [' ✓ s1.test.ts (2 tests) 405ms', ' ❯ test/b.test.ts (3 tests | 1 failed) 12ms'],
  },
  {
    ...test,
    tool: 'vitest',
    says: 'item',
    unit: 'tests',
    pattern: /^ {1,4}[✓×↓] (?<name>(?:\|\S{1,60}\| )?\S{1,200} > .{1,300})/,
    examples: [' ✓ s3.test.ts > adds 3 3ms', ' ✓ |pure| s3.test.ts > adds 3 3ms'],
  },
  {
    ...test,
    tool: 'vitest',
    says: 'end',
    pattern: /^ {1,6}Duration +\S{1,20} \((?:transform|import|setup|tests|worker|environment) \d/,
    examples: [
      '   Duration  2.71s (transform 56ms, setup 0ms, import 107ms, tests 1.62s, environment 1ms)',
      '   Duration  439ms (import 40%, worker 25%, tests 18%, transform 16%, environment 1%)',
    ],
  },
  {
    ...test,
    tool: 'jest',
    says: 'measure',
    pattern: /^(?<series>Test Suites|Tests): +(?<sum>\d.{1,200}?), (?:\d{1,7} of )?(?<total>\d{1,7}) total/,
    examples: ['Test Suites: 2 passed, 2 of 4 total', 'Tests:       1 failed, 2 skipped, 8 passed, 11 total'],
  },
  {
    ...test,
    tool: 'jest',
    says: 'item',
    unit: 'suites',
    pattern: /^ ?(?:PASS|FAIL) {1,2}(?<name>(?:\S{1,60} )?\S{1,300}\.[cm]?[jt]sx?)(?: |$)/,
    examples: ['PASS t/s3.test.js', ' PASS  t/s3.test.js (5.1 s)', 'FAIL browser t/s4.test.tsx'],
  },
  {
    ...test,
    tool: 'jest',
    says: 'end',
    pattern: /^Ran all test suites/,
    examples: ['Ran all test suites.', 'Ran all test suites matching /a/i.'],
  },
  {
    // A tick that many tools print: it counts, but names no phase.
    tool: 'mocha',
    says: 'item',
    unit: 'tests',
    pattern: /^(?: {2}){1,20}(?:[✔✓]|(?: {2})\d{1,5}\)) (?<name>.{1,300})/,
    examples: ['    ✔ adds 1', '    ✓ adds 1 (51ms)', '    1) fails'],
  },
  {
    ...test,
    tool: 'mocha',
    says: 'end',
    pattern: /^ {2}\d{1,7} (?:passing|failing|pending)/,
    examples: ['  3 passing (4ms)', '  1 failing'],
  },
  {
    ...test,
    tool: 'node test',
    says: 'item',
    unit: 'tests',
    pattern: /^[✔✖] (?<name>.{1,300}) \(\d[\d.]{0,20}ms\)/,
    examples: ['✔ adds (1.950046ms)', '✖ fails (0.15ms)'],
  },
];
