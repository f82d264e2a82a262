// Results of the hang benchmark as a run would have them.
import type { HangCase } from '../../bench/hangs/hang-case.js';
import type { CaseResult } from '../../bench/hangs/run-case.js';
import { type SavedRun, savedCase } from '../../bench/hangs/saved-run.js';
import { scoreOf } from '../../bench/hangs/score.js';

export const stuckCase: HangCase = {
  name: 'asks',
  family: 'prompts',
  why: 'w',
  run: ['cat'],
  stdin: 'pipe',
  label: 'stuck',
  actor: 'whoever may type',
  kinds: ['needs-input'],
  names: 'cat',
};
export const healthyCase: HangCase = {
  ...stuckCase,
  name: 'sleeps',
  family: 'sleepers',
  label: 'healthy',
  actor: 'nobody',
  kinds: ['timer'],
  names: undefined,
};

export type Said = Partial<CaseResult['unstuck']>;

export function resultOf(c: HangCase, said: Said, silentMs: number | null = null): CaseResult {
  return {
    case: c,
    watchedMs: 1000,
    unstuck: {
      alarmMs: null,
      kind: null,
      health: 'healthy',
      confidence: 'low',
      reason: '',
      command: '',
      certainKinds: [],
      costMs: 100,
      ...said,
    },
    ways: { 'no-output': { alarmMs: silentMs, claim: null, costMs: 1 } },
    broken: null,
  };
}

export const right: Said = {
  alarmMs: 500,
  kind: 'needs-input',
  command: 'cat',
  certainKinds: ['needs-input'],
};

export function savedRunOf(results: CaseResult[]): SavedRun {
  return {
    about: { machine: 'a machine', wasBusy: false, loadAfter: '0.0', tookMs: 60_000 },
    scale: { factor: 30 },
    scores: [scoreOf(results, 'unstuck'), scoreOf(results, 'no-output')],
    cases: results.map(savedCase),
    skipped: [],
  };
}
