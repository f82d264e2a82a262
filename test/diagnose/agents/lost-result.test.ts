import { describe, expect, it } from 'vitest';
import { type AgentState, advanceAgent, startAgent } from '../../../src/diagnose/agents/agent-state.js';
import {
  advanceGone,
  awaitsProcesses,
  type GoneTools,
  isLost,
  toolsShown,
  wantsMore,
} from '../../../src/diagnose/agents/lost-result.js';
import type { AgentEvent, AgentName, AgentTree } from '../../../src/model/run/agent.js';
import { verdictKinds } from '../../../src/model/verdict.js';
import { hear, recordedStream } from './read-fixture.js';

function stateAfter(events: readonly AgentEvent[]): AgentState {
  return events.reduce((state, event, at) => advanceAgent(state, event, at * 1000), startAgent);
}

const tool = (name: string, id = '1'): AgentEvent => ({ kind: 'tool-started', id, name });
const turn: AgentEvent = { kind: 'turn', id: 'a' };

describe('whether the tools that an agent waits for are processes', () => {
  it.each([
    ['claude-2.1.325-normal', 'tool-started'],
    ['codex-0.166.0-normal', 'tool-started'],
    ['gemini-0.61.0-normal', 'tool-started'],
    ['opencode-1.18.33-normal', 'turn'],
  ] as const)('%s: from the call to the result', (name, call) => {
    const agent = name.slice(0, name.indexOf('-')) as AgentName;
    const { events } = hear(agent, [recordedStream(name)]);
    const called = events.findIndex(({ kind }) => kind === call);
    expect(awaitsProcesses(agent, stateAfter(events.slice(0, called)))).toBe(false);
    expect(awaitsProcesses(agent, stateAfter(events.slice(0, called + 1)))).toBe(true);
    expect(awaitsProcesses(agent, stateAfter(events))).toBe(false);
  });

  it.each([
    ['inside of the agent', [turn, tool('Read')]],
    ['inside of the agent', [turn, tool('WebFetch')]],
    ['a sub-agent', [turn, tool('Task')]],
    ['of an MCP server', [turn, tool('mcp__idle__rest')]],
    ['one of two inside of the agent', [turn, tool('Edit'), tool('Bash', '2')]],
    ['the result has come', [turn, tool('Bash'), { kind: 'tool-ended', id: '1', failed: false }]],
    ['in the background', [turn, tool('Bash'), { kind: 'went-on' }]],
  ] as [string, AgentEvent[]][])('not: %s', (_, events) => {
    expect(awaitsProcesses('claude', stateAfter(events))).toBe(false);
  });
});

const tree: AgentTree = { tools: 0, mayRunTool: false, model: 'none', hook: null };

describe('a tool is gone', () => {
  it('when no process could be it, nothing is asked, and the agent waits', () => {
    expect(toolsShown('timer', tree)).toBe('gone');
    expect(toolsShown('timer', { ...tree, model: 'connected' })).toBe('gone');
    expect(toolsShown('timer', { ...tree, model: 'asked' })).toBe('there');
    expect(toolsShown('timer', { ...tree, mayRunTool: true })).toBe('there');
    expect(toolsShown('working', { ...tree, mayRunTool: true })).toBe('there');
    expect(toolsShown(null, tree)).toBe('there');
  });

  it('not while anything works, is stopped, asks or is not known', () => {
    const kinds = (shown: string) => verdictKinds.filter((kind) => toolsShown(kind, tree) === shown);
    expect(kinds('gone')).toEqual(['timer', 'network', 'deadlock', 'asleep', 'service', 'event']);
    expect(kinds('unclear').toSorted()).toEqual(['starved', 'working']);
  });

  const snapshot = (before: GoneTools | null, nowMs: number, more: object = {}) =>
    advanceGone(before, { tree: { ...tree }, shown: 'gone', events: 3, nowMs, ...more });

  it('is reported when two snapshots, ten seconds apart, show it', () => {
    const first = snapshot(null, 1000);
    expect(isLost(first, 60_000, 30_000)).toBe(false);
    // The same snapshot again shows nothing new.
    const same = snapshot(first, 20_000, { tree: first?.tree });
    expect(isLost(same, 20_000, 30_000)).toBe(false);
    const second = snapshot(first, 9000);
    expect(isLost(second, 9000, 30_000)).toBe(false);
    expect(isLost(second, 11_000, 30_000)).toBe(true);
    // It begins anew with an event, and ends when a process is there.
    expect(isLost(snapshot(second, 20_000, { events: 4 }), 20_000, 30_000)).toBe(false);
    expect(snapshot(second, 20_000, { shown: 'there' })).toBeNull();
  });

  it('is looked at again when the agent ran at the moment of a snapshot, but not for ever', () => {
    const ran = { shown: 'unclear' };
    const first = snapshot(null, 1000, ran);
    expect(first !== null && wantsMore(first)).toBe(true);
    const second = snapshot(first, 11_000);
    // The time of a snapshot that showed nothing does not count.
    expect(second).toMatchObject({ sinceMs: 11_000, snapshots: 1 });
    const fourth = snapshot(snapshot(second, 21_000, ran), 31_000);
    expect(fourth).toMatchObject({ sinceMs: 11_000, snapshots: 2 });
    expect(isLost(fourth, 31_000, 30_000)).toBe(true);
    let busy = first;
    for (let at = 2; at < 10; at += 1) busy = snapshot(busy, at * 10_000, ran);
    expect(busy !== null && wantsMore(busy)).toBe(false);
    expect(isLost(busy, 200_000, 30_000)).toBe(false);
  });
});
