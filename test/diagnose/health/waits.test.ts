import { describe, expect, it } from 'vitest';
import { presets } from '../../../src/model/run/health.js';
import { type Change, grown, minute, observe, second, verdictLine, verdictOf } from './observe.js';

describe('waits are no faults', () => {
  it.each(['timer', 'lock'] as const)('%s is named and suspicious, low, however long', (kind) => {
    const run = grown();
    run.stay(305 * second);
    run.tick({ verdict: verdictOf(kind) });
    const diagnosis = run.stay(24 * 60 * minute);
    expect(verdictLine(diagnosis)).toBe('suspicious, low');
    expect(diagnosis.reason).toBe(`no output for 1 d: node is in ${kind}`);
    expect(diagnosis.safeToKill).toBe(false);
  });

  it('a timer that only ticks is reported as such after three minutes, and is no alarm however long', () => {
    const run = grown();
    const ticks = { cpuPercent: 0.01 };
    run.stay(305 * second, ticks);
    run.tick({ ...ticks, verdict: verdictOf('timer') });
    expect(verdictLine(run.stay(170 * second, ticks))).toBe('suspicious, low');
    const diagnosis = run.stay(10 * second, ticks);
    expect(verdictLine(diagnosis)).toBe('suspicious, medium');
    expect(diagnosis.reason).toBe(
      'no output for 8 min, and only a timer ticks since 3 min, nothing else moves: node is in timer',
    );
    expect(verdictLine(run.stay(24 * 60 * minute, ticks))).toBe('suspicious, medium');
  });

  it.each<[string, Change]>([
    ['prints', { printed: true, verdict: verdictOf('timer') }],
    ['computes', { cpuPercent: 3 }],
    ['reads or writes', { ioBytes: 20_000 }],
    ['starts a process', { cpuPercent: 0.01, processes: 2 }],
    ['waits for something else', { cpuPercent: 0.01, verdict: verdictOf('lock') }],
  ])('a tree that ticks and %s now and then does more than tick', (_, change) => {
    const run = grown();
    const ticks = { cpuPercent: 0.01 };
    run.stay(305 * second, ticks);
    run.tick({ ...ticks, verdict: verdictOf('timer') });
    for (let i = 0; i < 10; i++) {
      expect(run.stay(150 * second, ticks).reason).not.toContain('only a timer ticks');
      expect(run.tick(change).reason).not.toContain('only a timer ticks');
      run.tick({ ...ticks, verdict: verdictOf('timer') });
    }
  });

  it.each(['event', 'stopped'] as const)(
    '%s is no alarm while another process of the tree goes on and may end it',
    (kind) => {
      const run = grown();
      run.stay(305 * second);
      const verdict = verdictOf(kind);
      run.tick({ verdict: { ...verdict, relieved: true }, processes: 2 });
      expect(verdictLine(run.stay(60 * minute, { processes: 2 }))).toBe('suspicious, low');
      run.tick({ verdict, processes: 2 });
      expect(run.stay(60 * minute, { processes: 2 }).health).toBe('confirmed-stuck');
    },
  );

  it('a silent service is healthy, with that as the reason, also while it works', () => {
    const run = grown();
    const verdict = verdictOf('service');
    const diagnosis = run.stay(60 * minute, { verdict });
    expect(verdictLine(diagnosis)).toBe('healthy, medium');
    expect(diagnosis.reason).toBe('no output for 1 h: node is in service');
    expect(run.tick({ cpuPercent: 80 }).health).toBe('healthy');
  });

  it.each(['timer', 'lock', 'service', 'network'] as const)(
    'a %s that is a mere guess excuses nothing',
    (kind) => {
      expect(grown().stay(20 * minute, { verdict: verdictOf(kind, 'low') }).health).toBe('confirmed-stuck');
    },
  );

  it.each(['working', 'starved'] as const)('%s is never likely-stuck while snapshots show it', (kind) => {
    const run = grown();
    const verdict = verdictOf(kind, 'low');
    for (let i = 0; i < 60; i++) {
      expect(run.tick({ verdict }).health).not.toMatch('stuck');
      expect(run.stay(55 * second).health).not.toMatch('stuck');
    }
    expect(run.stay(75 * second).health).toBe('likely-stuck');
  });

  it('of what hides itself from its own user nothing but silence is known, which is suspicious and no more', () => {
    const run = grown();
    run.stay(305 * second);
    run.tick({ verdict: { ...verdictOf('unknown', 'low'), hidden: true } });
    const diagnosis = run.stay(24 * 60 * minute);
    expect(verdictLine(diagnosis)).toBe('suspicious, low');
    expect(diagnosis.reason).toBe('no output for 1 d: node is in unknown');
    run.tick({ verdict: verdictOf('unknown', 'low') });
    expect(run.stay(20 * minute).health).toBe('confirmed-stuck');
  });

  it.each([
    ['pipe:[123]', false, 'likely-stuck'],
    ['/dev/pts/4', false, 'likely-stuck'],
    ['pipe:[123]', true, 'suspicious'],
    ['/dev/null', false, 'suspicious'],
    ['/home/me/answers.txt', false, 'suspicious'],
  ])('it may wait for an answer: %s, a person can give it: %s', (stdin, canAnswer, health) => {
    const verdict = { ...verdictOf('unknown', 'low'), hidden: true as const };
    expect(grown().stay(8 * minute, { verdict, stdin, canAnswer }).health).toBe(health);
  });

  it('the excuse ends with the next verdict, and with output', () => {
    const run = grown();
    run.stay(305 * second, { verdict: verdictOf('timer') });
    expect(run.tick({ verdict: verdictOf('unknown') }).health).toBe('suspicious');
    expect(run.tick().health).toBe('likely-stuck');
    run.tick({ verdict: verdictOf('timer') });
    expect(run.tick({ printed: true }).verdict).toBeNull();
    expect(run.stay(310 * second).health).toBe('likely-stuck');
  });
});

describe('network', () => {
  const verdict = verdictOf('network');
  const connections = { ESTABLISHED: 2, SYN_SENT: 1, CLOSE_WAIT: 0 };

  it('suspicious, low for 600 s without a byte, then likely-stuck, medium, and never more', () => {
    const run = grown();
    const waiting: Change = { verdict, connections, networkBytes: 0 };
    const early = run.stay(600 * second, waiting);
    expect(verdictLine(early)).toBe('suspicious, low');
    expect(early.reason).toBe(
      'no output for 10 min: node is in network (2 ESTABLISHED, 1 SYN_SENT; no byte for 10 min)',
    );
    expect(verdictLine(run.tick(waiting))).toBe('likely-stuck, medium');
    const late = run.stay(24 * 60 * minute, waiting);
    expect(verdictLine(late)).toBe('likely-stuck, medium');
    expect(late).toMatchObject({ safeToKill: false, severity: 'error' });
    expect(late.recommendation).not.toBe('');
  });

  it('--network-patience', () => {
    const run = grown({ ...presets.production, networkPatienceMs: 3600 * second });
    expect(run.stay(60 * minute, { verdict, networkBytes: 0 }).health).toBe('suspicious');
    expect(run.tick({ verdict, networkBytes: 0 }).health).toBe('likely-stuck');
  });

  it('suspicious comes before likely-stuck, even with less patience than silence', () => {
    const run = grown({ ...presets.production, networkPatienceMs: second });
    expect(run.stay(300 * second, { verdict }).health).toBe('healthy');
    expect(run.tick({ verdict }).health).toBe('suspicious');
    expect(run.tick({ verdict }).health).toBe('likely-stuck');
  });

  it('a byte, and patience begins anew', () => {
    const run = grown();
    run.stay(15 * minute, { verdict, networkBytes: 0 });
    expect(run.tick({ verdict, networkBytes: 1 }).reason).toMatch(/^silent but active/);
    expect(run.stay(600 * second, { verdict, networkBytes: 0 }).health).toBe('suspicious');
    expect(run.tick({ verdict, networkBytes: 0 }).health).toBe('likely-stuck');
  });

  it('a moment of work begins patience anew only until a snapshot shows that no byte came', () => {
    const run = grown();
    run.stay(5 * minute, { verdict, networkBytes: 0 });
    // Without a snapshot, a byte may have woken it.
    const unsure = run.tick({ cpuPercent: 0.4 });
    expect(unsure.numbers.networkQuietMs).toBe(0);
    expect(run.tick().numbers.networkQuietMs).toBe(5 * second);
    expect(run.tick({ verdict, networkBytes: 0 }).numbers.networkQuietMs).toBe(5 * minute + 15 * second);
    expect(run.stay(5 * minute - 10 * second, { verdict, networkBytes: 0 }).health).toBe('likely-stuck');
    expect(run.tick({ verdict, networkBytes: 3 }).numbers.networkQuietMs).toBe(0);
  });

  it('where bytes are not counted, patience begins with the verdict', () => {
    const run = grown();
    run.stay(305 * second);
    expect(run.stay(600 * second, { verdict }).health).toBe('suspicious');
    expect(run.stay(5 * second).health).toBe('likely-stuck');
  });

  it('patience counts from when it waits for the network, not from what it did before', () => {
    const run = grown();
    run.stay(30 * minute, { cpuPercent: 100, networkBytes: 0 });
    expect(run.stay(599 * second, { verdict, networkBytes: 0 }).health).toBe('suspicious');
    run.stay(30 * minute, { verdict: verdictOf('timer'), networkBytes: 0 });
    expect(run.stay(599 * second, { verdict, networkBytes: 0 }).health).toBe('suspicious');
  });

  it('an agent that waits for its API and prints what comes is healthy', () => {
    const run = grown();
    for (let i = 0; i < 10; i++) {
      expect(run.stay(4 * minute, { verdict, networkBytes: 0 }).health).toBe('healthy');
      expect(run.tick({ verdict, printed: true, networkBytes: 900 }).health).toBe('healthy');
    }
  });
});

describe('needs input', () => {
  const asks = (canAnswer: boolean): Change => ({ verdict: verdictOf('needs-input', 'certain'), canAnswer });

  it('where a person can answer it is reported at once, and health stays the same', () => {
    const run = observe();
    const diagnosis = run.tick(asks(true));
    expect(diagnosis).toMatchObject({
      needsAnswer: true,
      health: 'healthy',
      reason: 'node is in needs-input',
    });
    expect(diagnosis.recommendation).toBe('look at 42');
    expect(run.stay(295 * second, asks(true))).toMatchObject({ needsAnswer: true, health: 'healthy' });
    const late = run.stay(24 * 60 * minute, asks(true));
    expect(late).toMatchObject({
      needsAnswer: true,
      health: 'suspicious',
      confidence: 'low',
      safeToKill: false,
    });
  });

  it('at once means also at the tick at which the question was printed', () => {
    expect(observe().tick({ ...asks(true), printed: true }).needsAnswer).toBe(true);
  });

  it('where no person can answer, it is stuck', () => {
    const run = observe();
    expect(run.tick(asks(false)).needsAnswer).toBe(false);
    run.tick(asks(false));
    expect(run.tick(asks(false))).toMatchObject({
      health: 'confirmed-stuck',
      safeToKill: true,
      needsAnswer: false,
    });
  });

  it('it is stuck once no person is left to answer', () => {
    const run = grown();
    run.stay(5 * minute, asks(true));
    run.tick(asks(false));
    expect(run.tick(asks(false)).confidence).not.toBe('certain');
    expect(run.tick(asks(false)).confidence).toBe('certain');
  });

  it.each(['low', 'medium'] as const)('a question that is only %s is not reported', (certainty) => {
    const verdict = verdictOf('needs-input', certainty);
    expect(observe().tick({ verdict, canAnswer: true }).needsAnswer).toBe(false);
  });

  it('a mere guess that it asks excuses nothing', () => {
    const verdict = verdictOf('needs-input', 'low');
    expect(grown().stay(20 * minute, { verdict, canAnswer: true }).health).toBe('confirmed-stuck');
  });

  it('it needs no answer any more when it prints, works, or is seen at something else', () => {
    for (const onward of [
      { printed: true },
      { cpuPercent: 90 },
      { ioBytes: 90_000 },
      { verdict: verdictOf('working') },
    ]) {
      const run = observe();
      run.tick(asks(true));
      expect(run.tick({ canAnswer: true }).needsAnswer).toBe(true);
      expect(run.tick({ ...onward, canAnswer: true }).needsAnswer).toBe(false);
      expect(run.tick({ canAnswer: true }).needsAnswer).toBe(false);
    }
  });
});
