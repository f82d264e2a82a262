import { expect, test } from 'vitest';
import type { Diagnosis } from '../../src/model/run/health.js';
import type { Outcome } from '../../src/model/run/run.js';
import type { CrowdPulse } from '../../src/registry/monitor/crowd-pulse.js';
import type { BackgroundLog } from '../../src/registry/output/background-log.js';
import { RunView } from '../../src/registry/run-view.js';
import type { RunState } from '../../src/run/state.js';
import { RunDirectory } from '../../src/store/run-directory.js';

class View extends RunView {
  readonly id = 'run_000000000001';
  readonly startedMs = 0;
  readonly directory = new RunDirectory('/nonexistent', this.id);
  readonly log = { tail: { agent: null } } as BackgroundLog;
  readonly on = null;
  protected readonly lostReason = null;
  protected readonly unreachableSinceMs = null;
  readonly pauses = { isPaused: false, pausedForMs: 0 };
  protected readonly run: RunView['run'];
  readonly isInputDelivered = true;
  readonly isAdopted = false;
  readonly kept: RunView['kept'];

  constructor(state: RunState, diagnosis: Diagnosis, outcome: Outcome = 'exited') {
    super();
    this.kept = { earlier: null, note: () => {}, forget: () => {} };
    const pulse = { monitor: { diagnosis } } as CrowdPulse;
    this.run = { state, elapsedMs: 1000, pulse, ending: { outcome } };
    this.noteDiagnosis();
  }
}

const stuck = { health: 'likely-stuck', reason: 'it waits for input' } as Diagnosis;
const exit = { code: 3, signal: null, provenance: 'recorded' } as const;
const command = { leader: null, shim: null };

test('a run that has ended has no health: it shows how it ended, not how it was', () => {
  const live = new View({ kind: 'running', ...command }, stuck);
  expect(live.state).toMatchObject({ status: 'running', health: 'likely-stuck' });
  expect(live.trouble).toBe('stuck');
  const ended = new View({ kind: 'ended', exit, ...command, atMs: 0, outputLost: null }, stuck);
  expect(ended.state).toMatchObject({
    status: 'exited',
    health: null,
    why: 'ended: exit 3',
    exit: { code: 3 },
  });
  expect(ended.trouble).toBeNull();
  const stopped = new View({ kind: 'ended', exit, ...command, atMs: 0, outputLost: null }, stuck, 'timeout');
  expect(stopped.state.why).toBe('ended: exit 3; stopped at its time limit');
  expect(stopped.state.exit).toEqual({ ...exit, stopped: 'timeout' });
  const asked = new View(
    { kind: 'ended', exit, ...command, atMs: 0, outputLost: null },
    stuck,
    'interrupted',
  );
  expect(asked.state.exit).toEqual(exit);
});

test('a run that cannot be read counts as running, with the reason, until its end is proven', () => {
  const last = { kind: 'leaving', exit, ...command } as const;
  const { state } = new View({ kind: 'unknown', reason: 'too many open files', last }, stuck);
  expect(state).toMatchObject({ status: 'running', why: 'cannot be read now: too many open files' });
  expect(state).not.toHaveProperty('exit');
});

test('an answered question is not reported again', () => {
  const view = new View({ kind: 'running', ...command }, { ...stuck, needsAnswer: true });
  expect(view.trouble).toBe('needs-input');
  view.answered();
  expect(view.trouble).toBeNull();
});
