import { describe, expect, it } from 'vitest';
import { parseAgentStream } from '../../../src/diagnose/agents/parse-agent-stream.js';
import { agentProfiles } from '../../../src/diagnose/agents/profiles.js';
import { agentNames } from '../../../src/model/run/agent.js';
import {
  type DocumentedAgent,
  documentedAgents,
  factsAfter,
  fixtureOf,
  hear,
  shorten,
} from './read-fixture.js';

const expected: Record<DocumentedAgent, string[]> = {
  claude: [
    'activity',
    'turn msg_1',
    'tokens 1214 msg_1',
    'turn msg_1',
    'tokens 1250 msg_1',
    'tool-started toolu_1 Bash',
    'tool-ended toolu_1 true',
    'retry 529, overloaded, attempt 1 of 10',
    'activity',
    'compaction',
    'turn msg_2',
    'tokens 325 msg_2',
    'tool-started toolu_2 Task',
    'tokens 10 msg_3',
    'tool-started toolu_3 Grep',
    'tool-ended toolu_3 false',
    'tool-ended toolu_2 false',
    "permission Bash: curl -H 'Authorization: Bearer ***' https://example.org",
    'turn msg_4',
    'tokens 12 msg_4',
    'tokens 1685 ',
    'result true Fixed.',
  ],
  codex: [
    'activity',
    'turn ',
    'went-on',
    'tool-started item_1 command_execution',
    'tool-ended item_1 true',
    'retry Reconnecting... 1/5',
    'tool-started item_2 search',
    'tool-ended item_2 false',
    'permission May I drop the table?',
    'tool-ended item_3 false',
    'error model metadata is old',
    'went-on',
    'tokens 437 turn',
    'result true ',
  ],
  gemini: [
    'activity',
    'activity',
    'turn ',
    'turn ',
    'turn ',
    'tool-started run-1 run_shell_command',
    'tool-ended run-1 true',
    'error Loop detected',
    'turn ',
    'tokens 4250 ',
    'result true ',
  ],
  opencode: [
    'turn msg_a',
    'activity',
    'tool-started call_1 bash',
    'tool-ended call_1 false',
    'tokens 800 msg_a',
    'turn-ended',
    'error Too many requests',
    'turn msg_b',
    'activity',
    'tokens 105 msg_b',
    'result true ',
  ],
  droid: [
    'activity',
    'activity',
    'activity',
    'turn ',
    'turn ',
    'tool-started call-1 Execute',
    'tool-ended call-1 false',
    'error rate limited',
    'turn ',
    'tokens 130 ',
    'result true Done.',
  ],
};

const summary: Record<DocumentedAgent, { turn: number; tokens: number }> = {
  claude: { turn: 3, tokens: 1685 },
  codex: { turn: 1, tokens: 437 },
  gemini: { turn: 2, tokens: 4250 },
  opencode: { turn: 2, tokens: 905 },
  droid: { turn: 2, tokens: 130 },
};

describe.each(documentedAgents)('%s', (agent) => {
  it('a written stream becomes events, and these a state', () => {
    const { events, counts } = hear(agent, [fixtureOf(agent)]);
    expect(shorten(events)).toEqual(expected[agent]);
    expect(counts).toMatchObject({ other: 0, invalid: 0, cut: 0 });
    expect(factsAfter(agent, events)).toMatchObject({
      name: agent,
      ...summary[agent],
      tool: null,
      toolsInFlight: 0,
      permission: null,
      retries: 0,
      result: { ok: true, agoMs: 1000 },
    });
  });

  it('the library gives the same events, from texts too', async () => {
    const events = [];
    for await (const event of parseAgentStream(agent, [fixtureOf(agent).toString()])) events.push(event);
    expect(shorten(events)).toEqual(expected[agent]);
  });
});

describe.each(agentNames)('%s', (agent) => {
  it('every field may be missing or of another type', () => {
    const { lines, events } = agentProfiles[agent];
    for (const type of [...Object.keys(lines), 'unheard-of']) {
      for (const value of [null, 1, 'x', [], [null, 1], { id: 7, content: 'x' }]) {
        const line = { type, message: value, item: value, part: value, usage: value, request: value };
        const more = { stats: value, error: value, questions: value, id: value, tool_id: value };
        expect(Array.isArray(events({ ...line, ...more }))).toBe(true);
      }
    }
  });

  it('every text for the user is set', () => {
    const { name, eventFlags, stdin, unattended } = agentProfiles[agent];
    expect(name).toBe(agent);
    for (const text of [eventFlags, stdin, unattended]) expect(text).not.toBe('');
  });
});
