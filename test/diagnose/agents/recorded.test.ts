import { readdirSync } from 'node:fs';
import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { advanceAgent, agentFacts, startAgent } from '../../../src/diagnose/agents/agent-state.js';
import { AgentStream } from '../../../src/diagnose/agents/agent-stream.js';
import { agentProfiles } from '../../../src/diagnose/agents/profiles.js';
import type { AgentFacts, AgentName } from '../../../src/model/run/agent.js';
import { readLines, shownState, stated } from '../../support/agent-oracle.js';
import { factsAfter, hear, recordedStream, shorten } from './read-fixture.js';

interface Recorded {
  /** All events but signs of life, results without their text. */
  events: string[];
  facts: Partial<AgentFacts>;
}

const ended = { tool: null, toolsInFlight: 0, toolsInBackground: 0 };
const claudeTool = ['turn', 'tokens', 'tool-started call_1 Bash'];
const claudeEnd = ['turn', 'tokens', 'tokens', 'result true'];
const codexStart = ['error', 'turn', 'tool-started item_1 command_execution'];
const codexEnd = ['went-on', 'tokens', 'result true'];
const geminiTool = ['turn', 'tool-started run_shell_command__call_1 run_shell_command'];
const geminiEnd = ['turn', 'tokens', 'result true'];

/** What the real programs printed for a scripted model; see index.md beside the streams. */
const recorded: Record<string, Recorded> = {
  'claude-2.1.325-normal': {
    events: [...claudeTool, 'tool-ended call_1 false', ...claudeEnd],
    facts: { ...ended, turn: 2, result: { ok: true, text: 'All fine.', agoMs: 1000 } },
  },
  'claude-2.1.325-failed-tool': {
    events: [...claudeTool, 'tool-ended call_1 true', ...claudeEnd],
    facts: ended,
  },
  'claude-2.1.325-long-answer': { events: claudeEnd, facts: ended },
  'claude-2.1.325-slow-tool': {
    events: [...claudeTool, 'heartbeat', 'tool-ended call_1 false', ...claudeEnd],
    facts: { ...ended, heartbeats: 1 },
  },
  'claude-2.1.325-background': {
    events: [
      ...claudeTool,
      'background 1',
      'tool-ended call_1 false',
      'turn',
      'tokens',
      'tool-started call_2 Bash',
      'tool-ended call_2 false',
      ...claudeEnd,
    ],
    facts: { ...ended, toolsInBackground: 1 },
  },
  'claude-2.1.325-asks-for-permission': {
    events: [...claudeTool, 'permission Bash: touch asked', 'tool-ended call_1 true', ...claudeEnd],
    facts: { ...ended, permission: null },
  },
  'codex-0.166.0-normal': { events: [...codexStart, 'tool-ended item_1 false', ...codexEnd], facts: ended },
  'codex-0.166.0-failed-tool': {
    events: [...codexStart, 'tool-ended item_1 true', ...codexEnd],
    facts: ended,
  },
  'codex-0.166.0-yields': { events: [...codexStart, ...codexEnd], facts: ended },
  'codex-0.166.0-yields-then': {
    events: [
      ...codexStart,
      'tool-started item_2 command_execution',
      'tool-ended item_1 false',
      'tool-ended item_2 false',
      ...codexEnd,
    ],
    facts: ended,
  },
  'gemini-0.61.0-normal': {
    events: [...geminiTool, 'tool-ended run_shell_command__call_1 false', ...geminiEnd],
    facts: ended,
  },
  'gemini-0.61.0-failed-tool': {
    events: [...geminiTool, 'tool-ended run_shell_command__call_1 false', ...geminiEnd],
    facts: ended,
  },
  // It takes 100 KB of one letter for a loop.
  'gemini-0.61.0-long-answer': { events: ['error', 'tokens', 'result true'], facts: ended },
  'opencode-1.18.33-normal': {
    events: ['turn', 'tool-ended call_1 false', 'tokens', 'turn-ended', 'turn', 'tokens', 'result true'],
    facts: ended,
  },
  'opencode-1.18.33-failed-tool': {
    events: ['turn', 'tool-ended call_1 false', 'tokens', 'turn-ended', 'turn', 'tokens', 'result true'],
    facts: ended,
  },
  'opencode-1.18.33-long-answer': { events: ['turn', 'tokens', 'result true'], facts: ended },
};

const agentOf = (name: string) => name.slice(0, name.indexOf('-')) as AgentName;

/** Ids of the model's messages and texts are of the moment. */
const plain = (event: string) => event.replace(/^(turn|tokens|error|result \w+)(?![-\w]).*$/, '$1');

it.each(Object.entries(recorded))('%s', (name, { events: wanted, facts }) => {
  const { events, counts } = hear(agentOf(name), [recordedStream(name)]);
  const told = shorten(events).filter((event) => event !== 'activity');
  expect(told.map(plain)).toEqual(wanted);
  expect(counts).toMatchObject({ other: 0, invalid: 0 });
  expect(factsAfter(agentOf(name), events)).toMatchObject({ ...facts, result: { ok: true } });
});

const streams = readdirSync(new URL('../../fixtures/agents/recorded', import.meta.url))
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => file.replace(/\.jsonl$/, ''));

it.each(streams)('after every line of %s, the state is what the lines so far say', (name) => {
  const agent = agentOf(name);
  const text = recordedStream(name).toString().split('\n');
  const lines = readLines(text.join('\n'));
  let state = startAgent;
  const stream = new AgentStream(agentProfiles[agent], (event) => {
    state = advanceAgent(state, event, 0);
  });
  for (const [at, line] of text.filter(Boolean).entries()) {
    stream.push(Buffer.from(`${line}\n`));
    expect(shownState(agentFacts(agent, state, 0))).toEqual(stated(agent, lines.slice(0, at + 1)));
  }
});

it('while codex speaks, a command that yields is in the background, not in flight', () => {
  const { events } = hear('codex', [recordedStream('codex-0.166.0-yields')]);
  const spoken = events.slice(0, events.findIndex(({ kind }) => kind === 'went-on') + 1);
  expect(factsAfter('codex', spoken)).toMatchObject({ tool: null, toolsInFlight: 0, toolsInBackground: 1 });
});

test.prop(
  [
    fc.constantFrom(...Object.keys(recorded)),
    fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1 }),
  ],
  {
    numRuns: 60,
  },
)('how a recorded stream is cut into chunks changes nothing', (name, sizes) => {
  const bytes = recordedStream(name);
  const chunks: Buffer[] = [];
  for (let [from, at] = [0, 0]; from < bytes.length; at++) {
    const size = sizes[at % sizes.length] ?? 1;
    chunks.push(bytes.subarray(from, from + size));
    from += size;
  }
  expect(hear(agentOf(name), chunks)).toEqual(hear(agentOf(name), [bytes]));
});
