import { readdirSync } from 'node:fs';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { readAgentScreen } from '../../../src/diagnose/agents/agent-screen.js';
import { agentScreens } from '../../../src/diagnose/agents/agent-screens.js';
import { type AgentName, agentNames } from '../../../src/model/run/agent.js';
import { recordedScreen, viewAfter } from '../screen/read-screen.js';

const read = (name: AgentName, bytes: Uint8Array | string) => {
  const table = agentScreens[name];
  return table === null ? null : readAgentScreen(table, viewAfter(bytes));
};

const fixtures = readdirSync(new URL('../../fixtures/screens/agents/', import.meta.url));

describe('recorded screens of agents', () => {
  it.each(fixtures.map((file) => file.replace('.raw', '')))('%s', (name) => {
    const [agent, , shows] = name.split('-');
    expect(read(agent as AgentName, recordedScreen(`agents/${name}`))?.shows).toBe(shows);
  });

  it('there is a screen of each state for each agent', () => {
    for (const agent of ['claude', 'codex', 'gemini', 'opencode'])
      for (const shows of ['asks', 'idle', 'thinking'])
        expect(fixtures.some((file) => file.startsWith(agent) && file.endsWith(`-${shows}.raw`))).toBe(true);
  });

  it.each([
    ['claude-2.1.325', 'Do you want to proceed? (rm -rf build)'],
    ['codex-0.166.0', 'Would you like to run the following command? (rm -rf build)'],
    ['gemini-0.61.0', 'Allow execution of [Shell]? (rm -rf build)'],
    ['opencode-1.18.33', 'Permission required (rm -rf build)'],
  ])('%s: the question is shown with what it is about', (name, text) => {
    const agent = name.split('-')[0] as AgentName;
    expect(read(agent, recordedScreen(`agents/${name}-asks`))?.text).toBe(text);
  });
});

describe('near misses', () => {
  const rule = '─'.repeat(120);
  const claudeAt = (above: string, footer: string) =>
    `${above}\r\n\r\n${rule}\r\n❯ \r\n${rule}\r\n  ${footer}`;

  it('a question in an answer, while the model goes on, is thinking', () => {
    const text = '● Do you want to proceed?\r\n  ❯ 1. Yes\r\n    2. No\r\n\r\n✻ Pondering… (12s)';
    expect(read('claude', claudeAt(text, '⏸ manual mode on · esc to interrupt'))?.shows).toBe('thinking');
  });

  it('a question in an answer that is complete is idle', () => {
    const text = '● Do you want me to run the tests?\r\n\r\n✻ Baked for 3s';
    expect(read('claude', claudeAt(text, '? for shortcuts'))?.shows).toBe('idle');
  });

  it('the text of another state in a long answer is not the state', () => {
    const answer = Array.from({ length: 20 }, (_, row) => `  line ${row}: press esc to interrupt`).join(
      '\r\n',
    );
    expect(read('claude', claudeAt(answer, '? for shortcuts'))?.shows).toBe('idle');
  });

  it('an unknown screen has no state', () => {
    expect(read('claude', 'Welcome to the new Claude Code\r\nType here ▸')).toBeNull();
  });
});

test.prop([
  fc.constantFrom(...agentNames),
  fc.constantFrom(...fixtures),
  fc.nat(60_000),
  fc.uint8Array({ maxLength: 200 }),
])('any part of a recording, followed by noise, is read without an error', (agent, file, end, noise) => {
  const bytes = recordedScreen(`agents/${file.replace('.raw', '')}`).subarray(0, end);
  const reading = read(agent, Buffer.concat([bytes, noise]));
  if (reading !== null) expect([...reading.text].length).toBeLessThanOrEqual(200);
});
