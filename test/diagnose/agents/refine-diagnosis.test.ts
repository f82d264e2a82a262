import { describe, expect, it } from 'vitest';
import { dueAgoMs, refineDiagnosis } from '../../../src/diagnose/agents/refine-diagnosis.js';
import type { AgentEvent, AgentFacts } from '../../../src/model/run/agent.js';
import type { Diagnosis } from '../../../src/model/run/health.js';
import { type Certainty, type VerdictKind, verdictKinds } from '../../../src/model/verdict.js';
import { grown, observe, second, verdictOf } from '../health/observe.js';
import { factsAfter } from './read-fixture.js';

const patience = { patienceMs: 30 * second, modelPatienceMs: 600 * second, canAnswer: false };

const turn: AgentEvent = { kind: 'turn', id: 'a' };
const tool: AgentEvent = { kind: 'tool-started', id: '1', name: 'Bash' };
const result: AgentEvent = { kind: 'result', ok: true, text: 'done' };
const permission: AgentEvent = { kind: 'permission', text: 'Bash: rm -rf build' };

/** So long after the last of these events. */
function since(ms: number, ...events: AgentEvent[]): AgentFacts {
  const facts = factsAfter('claude', events);
  const later = <T extends { agoMs: number } | null>(fact: T): T =>
    fact === null ? fact : { ...fact, agoMs: fact.agoMs + ms - second };
  return {
    ...facts,
    lastEvent: later(facts.lastEvent),
    result: later(facts.result),
    permission: later(facts.permission),
    tool: facts.tool === null ? null : { ...facts.tool, forMs: facts.tool.forMs + ms - second },
  };
}

/** Silent for so long, and the kernel says this. */
function quiet(ms: number, kind: VerdictKind, certainty: Certainty = 'medium'): Diagnosis {
  const run = grown();
  run.stay(ms - 5 * second);
  return run.tick({ verdict: verdictOf(kind, certainty) });
}

describe('the state of the agent and the verdict of the kernel', () => {
  it('a result, and it still runs: lingering', () => {
    const facts = since(40 * second, turn, result);
    expect(refineDiagnosis(quiet(40 * second, 'network'), facts, patience)).toMatchObject({
      health: 'likely-stuck',
      confidence: 'medium',
      severity: 'error',
      safeToKill: false,
      reason: 'claude has printed its result 40 s ago and still runs: node is in network',
      verdict: { kind: 'lingering', certainty: 'medium', pid: 42 },
      evidence: ['claude says: turn 1, result 40 s ago', 'node(42) shows network'],
      recommendation: 'its output is complete, stop it: kill 42',
    });
  });

  it('not before its time, not while it works, not while it prints, and hardly while a timer runs', () => {
    const facts = since(40 * second, turn, result);
    const early = quiet(40 * second, 'network');
    expect(refineDiagnosis(early, since(29 * second, turn, result), patience)).toBe(early);
    const working = quiet(40 * second, 'working');
    expect(refineDiagnosis(working, facts, patience)).toBe(working);
    const printing = grown().tick({ printed: true });
    expect(refineDiagnosis(printing, facts, patience)).toBe(printing);
    const timer = refineDiagnosis(quiet(40 * second, 'timer'), facts, patience);
    expect(timer).toMatchObject({ health: 'suspicious', confidence: 'low', verdict: { kind: 'lingering' } });
  });

  it('no result, and asleep, with the evidence of both', () => {
    const facts = since(60 * second, turn, tool);
    expect(refineDiagnosis(quiet(60 * second, 'asleep', 'high'), facts, patience)).toMatchObject({
      health: 'likely-stuck',
      confidence: 'high',
      reason: 'claude has no result and is asleep, its last event was 1 min ago: node is in asleep',
      verdict: { kind: 'asleep', certainty: 'high' },
      evidence: [
        'claude says: turn 1, tool Bash in flight for 1 min, no result, last event (tool-started) 1 min ago',
        'node(42) shows asleep',
      ],
    });
    const network = quiet(60 * second, 'network');
    expect(refineDiagnosis(network, facts, patience)).toBe(network);
  });

  describe('its tool is gone', () => {
    const facts = since(60 * second, turn, tool);
    const gone = { isLost: true, model: 'none', hook: null } as const;

    it('the result was lost, and how to go on', () => {
      expect(refineDiagnosis(quiet(60 * second, 'timer'), facts, patience, gone)).toMatchObject({
        health: 'likely-stuck',
        confidence: 'medium',
        safeToKill: false,
        reason:
          'claude says its tool Bash is running, but no process of it exists and nothing is being asked of the model: the result was lost',
        recommendation: 'stop the run and go on from there: claude --continue -p TEXT',
        verdict: { kind: 'timer', certainty: 'medium' },
      });
    });

    it('is only suspicious while a connection is open, or if tools are shown late', () => {
      const connected = refineDiagnosis(quiet(60 * second, 'network'), facts, patience, {
        ...gone,
        model: 'connected',
      });
      expect(connected).toMatchObject({ health: 'suspicious', confidence: 'low' });
      expect(connected.reason).toContain('the model has answered all requests: the result may be lost');
      const late = { ...factsAfter('opencode', [turn]), lastEvent: facts.lastEvent };
      expect(refineDiagnosis(quiet(60 * second, 'timer'), late, patience, gone)).toMatchObject({
        health: 'suspicious',
        reason: expect.stringContaining(
          'opencode is in the middle of a step, but no process of a tool exists',
        ),
      });
    });

    it('not before its time, not after a result, and not while the model is waited for', () => {
      const plain = quiet(60 * second, 'timer');
      const early = since(20 * second, turn, tool);
      expect(refineDiagnosis(plain, early, patience, gone)).toBe(plain);
      expect(refineDiagnosis(plain, since(60 * second, turn, result), patience, gone).reason).toContain(
        'has printed its result',
      );
      const waits = { for: 'model', forMs: 60 * second } as const;
      expect(refineDiagnosis(plain, { ...facts, waits }, patience, gone).reason).toContain(
        'waits for its model',
      );
    });
  });

  describe('a hook after the result', () => {
    const seen = (kind: VerdictKind) => ({
      isLost: false,
      model: 'none' as const,
      hook: { pid: 811, name: 'sh', kind, reason: 'cat waits for nothing' },
    });

    it('is named, with what to do', () => {
      const facts = since(40 * second, turn, result);
      expect(refineDiagnosis(quiet(40 * second, 'timer'), facts, patience, seen('asleep'))).toMatchObject({
        health: 'likely-stuck',
        confidence: 'medium',
        reason: 'claude has finished 40 s ago, but its hook sh(811) does not end: cat waits for nothing',
        recommendation:
          'its output is complete, stop the hook: kill 811, or change it for the next time: .claude/settings.json of the project or of your home, below hooks',
        verdict: { kind: 'lingering', certainty: 'medium' },
      });
      expect(refineDiagnosis(quiet(40 * second, 'event'), facts, patience, seen('timer'))).toMatchObject({
        health: 'suspicious',
        confidence: 'low',
      });
    });

    it('may be a tool in the background, where there is one', () => {
      const facts = since(40 * second, turn, { kind: 'background', count: 1 }, result);
      const { reason } = refineDiagnosis(quiet(40 * second, 'event'), facts, patience, seen('asleep'));
      expect(reason).toContain('claude has printed its result');
    });
  });

  it('a question in the stream is needs-input, its text shown, not certain', () => {
    const facts = since(6 * second, turn, permission);
    const asking = refineDiagnosis(quiet(6 * second, 'event'), facts, patience);
    expect(asking).toMatchObject({
      health: 'likely-stuck',
      confidence: 'medium',
      needsAnswer: false,
      verdict: { kind: 'needs-input', certainty: 'medium' },
      reason: 'claude asks for permission since 6 s: "Bash: rm -rf build"',
    });
    expect(asking.recommendation).toContain('--permission-mode');
    const seen = refineDiagnosis(quiet(6 * second, 'needs-input', 'certain'), facts, patience);
    expect(seen.verdict).toMatchObject({ kind: 'needs-input', certainty: 'high' });
  });

  it('a question that a person can answer is a notice and no fault', () => {
    const facts = since(6 * second, turn, permission);
    const diagnosis = refineDiagnosis(quiet(6 * second, 'event'), facts, { ...patience, canAnswer: true });
    expect(diagnosis).toMatchObject({ health: 'healthy', needsAnswer: true });
  });

  it('a model that does not answer, again and again, is worth a word', () => {
    const retry: AgentEvent = { kind: 'retry', text: '529' };
    const storm = since(second, turn, retry, retry, retry, retry, retry);
    expect(refineDiagnosis(grown().tick({ printed: true }), storm, patience)).toMatchObject({
      health: 'suspicious',
      confidence: 'low',
      reason: 'claude gets no answer from its model: 5 attempts in a row: 529',
      verdict: null,
    });
  });

  it('a proof stays a proof, and its reason has the state of the agent', () => {
    const proven = observe().stay(45 * second, { verdict: verdictOf('asleep', 'certain') });
    expect(proven.confidence).toBe('certain');
    const refined = refineDiagnosis(proven, since(45 * second, turn, result), patience);
    expect(refined).toMatchObject({
      health: 'confirmed-stuck',
      confidence: 'certain',
      safeToKill: true,
      verdict: { kind: 'asleep', certainty: 'certain' },
    });
    expect(refined.reason).toContain('has printed its result');
  });

  it('a stream never makes anything certain, nor better than it is', () => {
    const streams = [
      since(3600 * second, turn, result),
      since(3600 * second, turn, tool),
      since(3600 * second, turn, permission),
    ];
    for (const kind of verdictKinds) {
      const plain = quiet(200 * second, kind, 'high');
      for (const facts of streams) {
        const refined = refineDiagnosis(plain, facts, patience);
        expect(refined.confidence).not.toBe('certain');
        expect(refined.safeToKill).toBe(false);
        expect(refined.verdict?.certainty).not.toBe('certain');
        if (plain.health !== 'healthy') expect(refined.health).not.toBe('healthy');
      }
    }
  });

  it('an agent without events changes nothing', () => {
    const plain = quiet(400 * second, 'unknown');
    expect(refineDiagnosis(plain, since(0), patience)).toBe(plain);
  });
});

it('a snapshot is due after the patience, and again each time the silence has doubled', () => {
  const dueAfter = (seconds: number) => dueAgoMs(since(seconds * second, turn, tool), 30 * second);
  expect(dueAfter(29)).toBe(null);
  expect([30, 59, 60, 119, 120, 250].map(dueAfter)).toEqual([0, 29, 0, 59, 0, 10].map((s) => s * second));
  expect(dueAgoMs(since(1500, turn, tool), 0)).toBeLessThan(1024);
});
