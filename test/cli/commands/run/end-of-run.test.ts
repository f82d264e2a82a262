import { expect, it } from 'vitest';
import { endOf } from '../../../../src/cli/commands/run/end-of-run.js';
import type { RunReport } from '../../../../src/model/run/run.js';

const usual = { json: false, isInterrupted: false, writeError: null };

function report(code: number, signal: string | null = null, exitCode = code): RunReport {
  return { exit: { code, signal, provenance: 'recorded' }, exitCode } as unknown as RunReport;
}

it.each([
  ['a signal that is proven', report(143, 'SIGTERM'), {}, { signal: 'SIGTERM', code: 143 }],
  ['a code that looks like one', report(143), {}, { signal: null, code: 143 }],
  ['130 after a SIGINT', report(130), { isInterrupted: true }, { signal: 'SIGINT', code: 130 }],
  ['130 without', report(130), {}, { signal: null, code: 130 }],
  ['141 after the reader has gone', report(141), { writeError: 'EPIPE' }, { signal: 'SIGPIPE', code: 141 }],
  ['an end of ours', report(143, 'SIGTERM', 124), {}, { signal: null, code: 124 }],
  ['--json', report(143, 'SIGTERM'), { json: true }, { signal: null, code: 143 }],
  ['success without a reader', report(0), { writeError: 'EPIPE' }, { signal: 'SIGPIPE', code: 141 }],
  ['success on a full disk', report(0), { writeError: 'ENOSPC' }, { signal: null, code: 125 }],
  ['failure on a full disk', report(3), { writeError: 'ENOSPC' }, { signal: null, code: 3 }],
])('%s', (_name, ended, more, expected) => {
  expect(endOf(ended, { ...usual, ...more })).toEqual(expected);
});
