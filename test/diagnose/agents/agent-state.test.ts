import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  advanceAgent,
  agentFacts,
  startAgent,
  toolsForMs,
} from '../../../src/diagnose/agents/agent-state.js';
import type { AgentEvent, AgentName } from '../../../src/model/run/agent.js';
import { factsAfter } from './read-fixture.js';

const turn = (id: string | null = null): AgentEvent => ({ kind: 'turn', id });
const started = (id: string, name = 'Bash'): AgentEvent => ({ kind: 'tool-started', id, name });
const ended = (id: string): AgentEvent => ({ kind: 'tool-ended', id, failed: false });
const retry: AgentEvent = { kind: 'retry', text: '529' };
const result: AgentEvent = { kind: 'result', ok: true, text: 'done' };
const permission: AgentEvent = { kind: 'permission', text: 'Bash: rm' };
const activity: AgentEvent = { kind: 'activity' };

const facts = (...events: AgentEvent[]) => factsAfter('claude', events);

describe('the state of an agent from its events', () => {
  it('the tool in flight is the tool started last, with its start', () => {
    const both = facts(turn('a'), started('1', 'Task'), started('2', 'Grep'));
    expect(both).toMatchObject({ tool: { name: 'Grep', forMs: 1000 }, toolsInFlight: 2, turn: 1 });
    const one = facts(turn('a'), started('1', 'Task'), started('2', 'Grep'), ended('2'));
    expect(one.tool).toEqual({ name: 'Task', forMs: 3000 });
  });

  it('a tool without an end event has ended when the model answers again', () => {
    expect(facts(turn('a'), started('1'), turn('b')).tool).toBeNull();
    expect(facts(turn('a'), started('1'), turn('a')).tool).not.toBeNull();
  });

  it('without ids a turn begins when the model speaks after something else', () => {
    expect(facts(turn(), turn(), started('1'), turn(), ended('1'), turn(), turn()).turn).toBe(2);
  });

  it('tokens of the same turn replace earlier counts; a total replaces them all', () => {
    const tokens = (count: number, of: string | null): AgentEvent => ({ kind: 'tokens', count, of });
    expect(facts(tokens(10, 'a'), tokens(15, 'a'), tokens(1, 'b')).tokens).toBe(16);
    expect(facts(tokens(10, 'a'), tokens(99, null)).tokens).toBe(99);
    expect(facts(tokens(10, 'a'), tokens(0, null)).tokens).toBe(10);
    expect(facts(turn()).tokens).toBeNull();
  });

  it('a result is taken back by what follows, but not by a sign of life', () => {
    expect(facts(turn(), result, activity).result).toEqual({ ok: true, text: 'done', agoMs: 2000 });
    expect(facts(turn(), result, turn()).result).toBeNull();
    expect(facts(turn(), result, started('1')).result).toBeNull();
  });

  it('a question stands until something follows', () => {
    expect(facts(permission, activity).permission).toEqual({ text: 'Bash: rm', agoMs: 2000 });
    expect(facts(permission, ended('1')).permission).toBeNull();
  });

  it('retries count in a row', () => {
    expect(facts(retry, retry, activity, retry).retries).toBe(3);
    expect(facts(retry, retry, turn('a'), retry).retries).toBe(1);
  });

  it('heartbeats are counted apart: they are no event, and answer nothing', () => {
    const beat: AgentEvent = { kind: 'heartbeat' };
    const heard = facts(turn('a'), started('1'), beat, beat, beat);
    expect(heard).toMatchObject({ events: 2, heartbeats: 3, toolsInFlight: 1 });
    expect(heard.lastEvent).toEqual({ kind: 'tool-started', agoMs: 4000 });
    expect(facts(permission, beat).permission).not.toBeNull();
  });

  it('a tool that the model does not wait for is in the background until it ends', () => {
    const wentOn: AgentEvent = { kind: 'went-on' };
    expect(facts(turn(), started('1'), wentOn)).toMatchObject({
      tool: null,
      toolsInFlight: 0,
      toolsInBackground: 1,
    });
    expect(facts(turn(), started('1'), wentOn, started('2'))).toMatchObject({
      tool: { forMs: 1000 },
      toolsInFlight: 1,
      toolsInBackground: 1,
    });
    expect(facts(turn(), started('1'), wentOn, ended('1'))).toMatchObject({ toolsInBackground: 0 });
  });

  const events = fc.constantFrom<AgentEvent>(
    { kind: 'went-on' },
    { kind: 'background', count: 2 },
    turn(),
    turn('a'),
    started('1'),
    ended('1'),
    retry,
    result,
    permission,
    activity,
  );
  test.prop([fc.array(events, { maxLength: 60 })])('is plain data of bounded size', (all) => {
    let state = startAgent;
    for (const [at, event] of all.entries()) state = advanceAgent(state, event, at);
    for (let at = 0; at < 200; at++) state = advanceAgent(state, started(`t${at}`), 100);
    expect(state.tools.length).toBeLessThanOrEqual(32);
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    const { events: count, lastEvent } = agentFacts('claude', state, 50);
    expect(count).toBe(all.length + 200);
    expect(lastEvent?.agoMs).toBe(0);
  });
});

/** One event a second, and a second later. */
function stateAfter(events: readonly AgentEvent[]) {
  return events.reduce((state, event, at) => advanceAgent(state, event, at * 1000), startAgent);
}

const awaitedFor = (name: AgentName, ...events: AgentEvent[]) =>
  toolsForMs(name, stateAfter(events), events.length * 1000);

const turnEnded: AgentEvent = { kind: 'turn-ended' };
const wentOn: AgentEvent = { kind: 'went-on' };

describe('the tools that an agent waits for', () => {
  it('count from the start of the oldest tool in flight that is not in the background', () => {
    expect(awaitedFor('claude', turn('a'), started('1'), started('2'))).toBe(2000);
    expect(awaitedFor('claude', turn('a'), started('1'), started('2'), ended('1'))).toBe(2000);
    expect(awaitedFor('codex', turn(), started('1'), wentOn)).toBeNull();
    expect(awaitedFor('codex', turn(), started('1'), wentOn, started('2'))).toBe(1000);
  });

  it('do not count before a tool is called and after all have ended', () => {
    expect(awaitedFor('claude', turn('a'))).toBeNull();
    expect(awaitedFor('gemini', turn(), started('1'), ended('1'))).toBeNull();
    expect(awaitedFor('claude', turn('a'), started('1'), result)).toBeNull();
  });

  it('may be any time of an open turn where they show only at their end', () => {
    expect(awaitedFor('opencode', turn('a'))).toBe(1000);
    expect(awaitedFor('opencode', turn('a'), ended('1'), activity)).toBe(3000);
    expect(awaitedFor('opencode', turn('a'), ended('1'), turnEnded)).toBeNull();
    expect(awaitedFor('opencode', turn('a'), result)).toBeNull();
    expect(awaitedFor('opencode')).toBeNull();
  });
});

describe('the wait for the model', () => {
  const waitsAfter = (...events: AgentEvent[]) =>
    agentFacts('claude', stateAfter(events), events.length * 1000, true).waits;

  it('lasts since the last event', () => {
    expect(waitsAfter(turn('a'), started('1'), ended('1'), activity)).toEqual({ for: 'model', forMs: 1000 });
    expect(waitsAfter()).toEqual({ for: 'model', forMs: 0 });
  });

  it('does not count while a tool runs, a question is open or the result is there', () => {
    expect(waitsAfter(turn('a'), started('1'))).toBeNull();
    expect(waitsAfter(permission)).toBeNull();
    expect(waitsAfter(turn('a'), result)).toBeNull();
    expect(waitsAfter(turn(), started('1'), wentOn)).not.toBeNull();
  });

  it('is never shown without the evidence of the kernel', () => {
    expect(facts(turn('a'), started('1'), ended('1')).waits).toBeNull();
  });

  const event: fc.Arbitrary<AgentEvent> = fc.oneof(
    fc.constantFrom(turn('a'), turn('b'), turn(), result, permission, activity, turnEnded, wentOn, retry),
    fc.constantFrom('1', '2', '3').map((id) => started(id)),
    fc.constantFrom('1', '2', '3').map(ended),
  );
  test.prop([fc.array(event)])('excludes the wait for a tool that shows in the stream', (events) => {
    const seen = agentFacts('claude', stateAfter(events), events.length * 1000, true);
    expect(seen.waits !== null && seen.tool !== null).toBe(false);
    const forMs = toolsForMs('claude', stateAfter(events), events.length * 1000);
    expect(forMs !== null).toBe(seen.toolsInFlight > 0);
    expect(forMs ?? 0).toBeGreaterThanOrEqual(seen.tool?.forMs ?? 0);
  });
});
