import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type AgentMoments, agentTree } from '../../../src/diagnose/agents/agent-tree.js';
import { View } from '../../../src/diagnose/graph/view.js';
import type { FdFacts, ProcessFacts, Snapshot } from '../../../src/model/facts/snapshot.js';
import type { SocketFacts } from '../../../src/model/facts/sockets.js';
import { parseSnapshot } from '../../../src/probe/replay/parse-snapshot.js';

/** A snapshot of the real program, with an MCP server beside it: `tool`: tail -f below a shell; `hook`: after its result. */
function load(what: 'tool' | 'hook'): Snapshot {
  const file = new URL(`../../fixtures/agents/snapshots/claude-2.1.325-${what}.json`, import.meta.url);
  return parseSnapshot(readFileSync(file, 'utf8'), what);
}

const find = ({ processes }: Snapshot, name: string): ProcessFacts => {
  const found = processes.find((process) => process.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};

const root = (snapshot: Snapshot): ProcessFacts => find(snapshot, 'claude');

/** The call of the tool came just before its process; the first event after the start of the server. */
function duringTool(snapshot: Snapshot): AgentMoments {
  const { startTicks } = find(snapshot, 'tail');
  return {
    tools: { from: 'events', startedTicks: startTicks - 1000 },
    spokeTicks: find(snapshot, 'node').startTicks + 10,
    resultTicks: null,
  };
}

/** The processes of the tool have ended. */
function withoutTool(): Snapshot {
  const snapshot = load('tool');
  snapshot.processes = snapshot.processes.filter(({ name }) => name !== 'tail' && name !== 'zsh');
  return snapshot;
}

function connect(snapshot: Snapshot, { lastSentMs, lastReceivedMs }: Record<string, number>): Snapshot {
  const file = { fd: 99, link: 'socket:[4711]', kind: 'socket', object: 'socket:4711' } as FdFacts;
  const tcp = { lastSentMs, lastReceivedMs, bytesReceived: 900, bytesAcked: 900 } as SocketFacts['tcp'];
  snapshot.sockets.push({
    inode: 4711,
    space: snapshot.sockets[0]?.space ?? '',
    family: 'tcp',
    state: 'ESTABLISHED',
    local: '10.0.0.1:40000',
    remote: '10.0.0.7:443',
    receiveQueue: 0,
    sendQueue: 0,
    tcp,
  });
  const { fds } = root(snapshot);
  if (Array.isArray(fds)) fds.push(file);
  return snapshot;
}

describe('the tools of an agent', () => {
  const moments = duringTool(load('tool'));
  const read = (snapshot: Snapshot, more: Partial<AgentMoments> = {}) =>
    agentTree(View.of(snapshot), { ...moments, ...more });

  it('a tool runs', () => {
    expect(read(load('tool'))).toEqual({ tools: 1, mayRunTool: true, model: 'none', hook: null });
  });

  it('the tool is gone, and its server idles', () => {
    expect(read(withoutTool())).toEqual({ tools: 0, mayRunTool: false, model: 'none', hook: null });
  });

  it('a process that came after the first event may be a tool, whatever its session', () => {
    const before = find(load('tool'), 'node').startTicks - 10;
    expect(read(withoutTool(), { spokeTicks: before })).toMatchObject({ tools: 0, mayRunTool: true });
  });

  it('what a tool has left behind may belong to it', () => {
    const snapshot = load('tool');
    snapshot.processes = snapshot.processes.filter(({ name }) => name !== 'zsh');
    for (const process of snapshot.processes) process.runId = 'run_000000000001';
    const left = find(snapshot, 'tail');
    left.parent = 1;
    left.inTree = false;
    expect(read(snapshot)).toMatchObject({ tools: 0, mayRunTool: true });
  });

  it.each([
    ['a request without an answer', { lastSentMs: 100, lastReceivedMs: 9000 }, 'asked'],
    ['an answer that may go on', { lastSentMs: 9000, lastReceivedMs: 100 }, 'connected'],
  ])('the model: %s', (_, times, model) => {
    expect(read(connect(withoutTool(), times)).model).toBe(model);
  });

  it('what cannot be read counts as a request', () => {
    const snapshot = withoutTool();
    root(snapshot).fds = { absent: 'not-permitted' } as unknown as ProcessFacts['fds'];
    expect(read(snapshot).model).toBe('asked');
  });
});

describe('the hook of an agent', () => {
  const started = find(load('hook'), 'sh').startTicks;
  const read = (snapshot: Snapshot, resultTicks: number | null, spokeTicks = 0) =>
    agentTree(View.of(snapshot), { tools: null, spokeTicks, resultTicks }).hook;

  it('is the process that it started after its result', () => {
    expect(read(load('hook'), started - 100)).toEqual({
      pid: find(load('hook'), 'sh').pid,
      name: 'sh',
      kind: 'timer',
      reason: expect.stringMatching(/^sleep sleeps .* more, then goes on by itself$/),
    });
  });

  it('is none without a result, or if the process was there before', () => {
    expect(read(load('hook'), null)).toBeNull();
    expect(read(load('hook'), started + 100)).toBeNull();
  });

  it('is not a server that came before the first event', () => {
    expect(read(load('hook'), started - 500, started + 1)).toBeNull();
  });

  it('is not the next command of a shell that runs the agent', () => {
    const snapshot = load('hook');
    root(snapshot).name = 'bash';
    expect(read(snapshot, started - 100)).toBeNull();
  });
});
