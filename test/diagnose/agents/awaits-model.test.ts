import { describe, expect, it } from 'vitest';
import { mayAwaitModel } from '../../../src/diagnose/agents/awaits-model.js';
import { refineDiagnosis } from '../../../src/diagnose/agents/refine-diagnosis.js';
import type { AgentEvent, AgentFacts } from '../../../src/model/run/agent.js';
import type { Diagnosis } from '../../../src/model/run/health.js';
import type { VerdictKind } from '../../../src/model/verdict.js';
import { grown, minute, second, verdictOf } from '../health/observe.js';
import { factsAfter } from './read-fixture.js';

/** Silent for a while, and the kernel shows this. */
function seen(kind: VerdictKind, connections: Record<string, number> | null): Diagnosis {
  const diagnosis = grown().tick({ verdict: verdictOf(kind, 'high') });
  return { ...diagnosis, numbers: { ...diagnosis.numbers, connections } };
}

describe('what the kernel shows while an agent waits for its model', () => {
  it.each(['network', 'timer', 'service', 'event', 'asleep'] as const)('%s, with a connection', (kind) => {
    expect(mayAwaitModel(seen(kind, { ESTABLISHED: 2 }), 0)).toBe(true);
  });

  it.each(['starved', 'stopped', 'needs-input', 'deadlock', 'unknown'] as const)(
    '%s is something else',
    (kind) => {
      expect(mayAwaitModel(seen(kind, { ESTABLISHED: 1 }), 0)).toBe(false);
    },
  );

  it('a tick of its event loop, and no more work than that', () => {
    const { numbers, ...rest } = seen('working', { ESTABLISHED: 1 });
    expect(mayAwaitModel({ ...rest, numbers: { ...numbers, cpuPercent: 1 } }, 0)).toBe(true);
    expect(mayAwaitModel({ ...rest, numbers: { ...numbers, cpuPercent: 40 } }, 0)).toBe(false);
  });

  it('nothing without a snapshot, without a connection, or with a tool that may be in flight', () => {
    expect(mayAwaitModel({ ...seen('network', { ESTABLISHED: 1 }), verdict: null }, 0)).toBe(false);
    expect(mayAwaitModel(seen('network', { TIME_WAIT: 1 }), 0)).toBe(false);
    expect(mayAwaitModel(seen('network', null), 0)).toBe(false);
    expect(mayAwaitModel(seen('network', { ESTABLISHED: 1 }), 1)).toBe(false);
    expect(mayAwaitModel(seen('network', { ESTABLISHED: 1 }), null)).toBe(false);
  });
});

describe('an agent that waits for its model', () => {
  const turn: AgentEvent = { kind: 'turn', id: 'a' };
  const patience = { patienceMs: 30 * second, modelPatienceMs: 10 * minute, canAnswer: false };
  const waiting = (forMs: number): AgentFacts => ({
    ...factsAfter('claude', [turn]),
    waits: { for: 'model', forMs },
  });

  it('is as healthy as before, and the reason names the wait', () => {
    const diagnosis = seen('timer', { ESTABLISHED: 1 });
    expect(refineDiagnosis(diagnosis, waiting(53 * second), patience)).toEqual({
      ...diagnosis,
      reason: 'claude waits for its model, asked 53 s ago',
    });
  });

  it('is named before its first event', () => {
    const facts = { ...factsAfter('opencode', []), waits: { for: 'model' as const, forMs: 20 * second } };
    expect(refineDiagnosis(seen('timer', { ESTABLISHED: 1 }), facts, patience).reason).toBe(
      'opencode waits for its model, asked 20 s ago',
    );
  });

  it('is likely stuck when the model is silent for longer than a network may be', () => {
    const late = refineDiagnosis(seen('service', { ESTABLISHED: 1 }), waiting(11 * minute), patience);
    expect(late).toMatchObject({
      health: 'likely-stuck',
      confidence: 'medium',
      safeToKill: false,
      reason: 'claude waits for its model, asked 11 min ago, and it is silent',
    });
  });
});
