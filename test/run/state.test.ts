import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import type { ProcessIdentity } from '../../src/model/facts/identity.js';
import {
  type Change,
  commandOf,
  isOver,
  isStarting,
  nextState,
  type RunState,
  type Standing,
  unknownExit,
} from '../../src/run/state.js';

const leader: ProcessIdentity = { bootId: 'boot', pid: 100, startTicks: 1 };
const shim: ProcessIdentity = { bootId: 'boot', pid: 99, startTicks: 1 };
const exit = { code: 3, signal: null, provenance: 'recorded' } as const;

/** The machine: what a daemon would read there now. Nothing in it goes back. */
class World {
  isStarted = false;
  isShimAlive = true;
  isLeaderAlive = true;
  isRecorded = false;
  isReadable = true;

  get hasEnded(): boolean {
    return this.isRecorded || (this.isStarted && !this.isLeaderAlive && !this.isShimAlive);
  }

  standing(): Standing {
    if (!this.isReadable) return { kind: 'unknown', reason: 'too many open files' };
    const command = { leader: this.isStarted ? leader : null, shim: this.isShimAlive ? shim : null };
    if (this.hasEnded) return { kind: 'ended', exit: this.isRecorded ? exit : unknownExit, ...command };
    return this.isStarted ? { kind: 'running', ...command } : { kind: 'starting' };
  }
}

const steps = [
  'start known',
  'exit file',
  'shim gone',
  'command gone',
  'kill ordered',
  'kill failed',
  'reads fail',
  'reads work',
  'look',
  'end handled',
  'end unread',
  'daemon restart',
] as const;

/** One daemon after the other on one run. */
class Life {
  readonly world = new World();
  state: RunState = { kind: 'starting' };
  ends = 0;

  take(step: (typeof steps)[number]): void {
    const { world } = this;
    if (step === 'start known') world.isStarted = true;
    else if (step === 'exit file') world.isRecorded ||= world.isStarted && world.isShimAlive;
    else if (step === 'shim gone') world.isShimAlive = false;
    else if (step === 'command gone') world.isLeaderAlive = false;
    else if (step === 'reads fail' || step === 'reads work') world.isReadable = step === 'reads work';
    else if (step === 'kill ordered') this.change({ kind: 'stop' });
    else if (step === 'kill failed') this.change({ kind: 'stop-failed' });
    else if (step === 'look') this.change({ kind: 'seen', standing: world.standing() });
    else if (step === 'end unread') this.change({ kind: 'unread', reason: 'no memory' });
    else if (step === 'end handled') this.change({ kind: 'done', atMs: 1, outputLost: null });
    else this.restart();
  }

  change(change: Change): void {
    const before = this.state;
    this.state = nextState(before, change);
    this.check(before, change);
  }

  check(before: RunState, change: Change): void {
    const { state } = this;
    if (before.kind === 'ended' || before.kind === 'detached') expect(state, 'final').toBe(before);
    if (isOver(before)) expect(isOver(state), 'an exit is not withdrawn').toBe(true);
    if (!isStarting(before)) expect(isStarting(state), 'a command is not started again').toBe(false);
    const known = commandOf(before).leader;
    if (known !== null) expect(commandOf(state).leader, 'its identity stays').toEqual(known);
    if (isOver(state) && state.kind !== 'detached') expect(this.world.hasEnded, 'proof').toBe(true);
    if (state.kind === 'ended' && before.kind !== 'ended') {
      expect(change.kind).toBe('done');
      this.ends += 1;
    }
    expect(this.ends, 'one end').toBeLessThanOrEqual(1);
  }

  /** The next daemon knows only what it reads. It does not handle an end that was handled. */
  restart(): void {
    if (this.ends > 0) return;
    this.change({ kind: 'detach' });
    expect(['detached', 'ended']).toContain(this.state.kind);
    this.state = { kind: 'starting' };
  }
}

describe('the state of a run', () => {
  test.prop([fc.array(fc.constantFrom(...steps), { maxLength: 40 })], { numRuns: 2000 })(
    'in any order of events there is at most one end, it is proven, and it is final',
    (order) => {
      const life = new Life();
      for (const step of order) life.take(step);
      // Whatever happened, the end is reached once everything can be read again.
      for (const step of ['start known', 'exit file', 'shim gone', 'command gone'] as const) life.take(step);
      for (const step of ['reads work', 'look', 'end handled'] as const) life.take(step);
      expect(life.state.kind).toBe('ended');
      expect(life.ends).toBe(1);
    },
  );

  test('a read that fails keeps what was known, and a kill that failed can be ordered again', () => {
    const running = { kind: 'running', leader, shim } as const;
    const stopping = nextState(running, { kind: 'stop' });
    const lost = nextState(stopping, { kind: 'seen', standing: { kind: 'unknown', reason: 'EMFILE' } });
    expect(lost).toEqual({ kind: 'unknown', reason: 'EMFILE', last: stopping });
    expect(nextState(lost, { kind: 'seen', standing: running })).toEqual(stopping);
    expect(nextState(stopping, { kind: 'stop-failed' })).toEqual(running);
  });
});
