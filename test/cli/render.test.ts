import { expect, test } from 'vitest';
import { renderHeartbeat, renderStatus } from '../../src/cli/commands/run/render-heartbeat.js';
import { renderAnswer } from '../../src/cli/commands/why/render.js';
import { agentFacts, startAgent } from '../../src/diagnose/agents/agent-state.js';
import { agentBrief } from '../../src/mcp/agent-brief.js';
import type { AgentFacts } from '../../src/model/run/agent.js';
import type { Heartbeat } from '../../src/model/run/run.js';
import { factsAfter } from '../diagnose/agents/read-fixture.js';
import { why } from '../run/report/sample-report.js';

const beat: Heartbeat = {
  label: 'test',
  elapsedMs: 60_000,
  lastOutputMs: 5000,
  line: 'running',
  lineStream: null,
  pid: 40268,
  programs: [{ name: 'node', count: 1 }],
  cpuPercent: 0,
  phase: null,
  progress: null,
  health: 'healthy',
  armInMs: 0,
  same: 1,
  samePulses: 3,
  log: null,
};

test('same counts up to what makes a stall, and no further', () => {
  expect(renderHeartbeat(beat)).toContain(' same=1/3 ');
  expect(renderHeartbeat({ ...beat, same: 7 })).toContain(' same=3/3 ');
});

test('a last line from stderr is marked, from stdout it is not', () => {
  expect(renderHeartbeat({ ...beat, lineStream: 'stderr' })).toContain(" line(stderr)='running' ");
  expect(renderHeartbeat({ ...beat, lineStream: 'stdout' })).toContain(" line='running' ");
});

const screens: [NonNullable<AgentFacts['screen']>, string, string][] = [
  [
    { shows: 'asks', text: 'Do you want "it"?', forMs: 12_000 },
    'asks="Do you want ”it”?"(12s)',
    'claude asks: "Do you want "it"?"',
  ],
  [{ shows: 'idle', text: '', forMs: 4000 }, 'idle(4s)', 'claude is idle at its prompt'],
  [{ shows: 'thinking', text: '', forMs: 53_000 }, 'waits=model(53s)', 'claude waits for its model 53 s'],
  [{ shows: 'tool', text: '', forMs: 9000 }, 'tool(9s)', 'claude runs a tool'],
];

test.each(screens)('the screen of an agent is shown: %o', (screen, field, part) => {
  const agent = { ...agentFacts('claude', startAgent, 0), screen };
  expect(renderHeartbeat({ ...beat, agent })).toContain(` agent=claude ${field} `);
  expect(renderStatus({ ...beat, agent }, 200)).toContain(part);
  expect(agentBrief(agent).agent).toMatchObject({ name: 'claude' });
});

test('another agent learns the question, and not how long it is open', () => {
  const agent = {
    ...agentFacts('codex', startAgent, 0),
    screen: { shows: 'asks' as const, text: 'May I?', forMs: 1 },
  };
  expect(agentBrief(agent)).toEqual({ agent: { name: 'codex', asks: 'May I?' } });
  const thinking = { ...agent, screen: { shows: 'thinking' as const, text: '', forMs: 1 } };
  expect(agentBrief(thinking)).toEqual({ agent: { name: 'codex', waits: 'model' } });
});

test('prints for how long nothing has moved, unless that is 0', () => {
  expect(renderAnswer(why, false)).toMatch(/^npm \(4371\) test {3}nothing has moved for 6 min 12 s\n/);
  expect(renderAnswer({ ...why, stillMs: 0 }, false)).toMatch(/^npm \(4371\) test\n/);
});

test('an agent that waits for its model shows it beside its state', () => {
  const waits = { for: 'model', forMs: 53_000 } as const;
  const agent = { ...factsAfter('claude', [{ kind: 'turn', id: 'a' }]), waits };
  expect(renderHeartbeat({ ...beat, agent })).toContain(' waits=model(53s) agent=claude turn=1 ');
  expect(renderStatus({ ...beat, agent }, 200)).toContain('waits for its model 53 s · claude turn 1');
  const silent = { ...factsAfter('opencode', []), waits };
  expect(renderHeartbeat({ ...beat, agent: silent })).toContain(' waits=model(53s) agent=opencode ');
  expect(renderHeartbeat({ ...beat, agent: factsAfter('opencode', []) })).not.toContain('waits=');
});
