import fs from 'node:fs';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { hookOutput, parseHookEvent } from '../../../src/control/hooks/event-input.js';
import { type HookAgent, hookAgents } from '../../../src/model/tool.js';

const folder = new URL('../../fixtures/hooks/', import.meta.url);

/** What the real programs sent, by agent. The version is in the name of the file. */
function recorded(agent: HookAgent): string[] {
  const [file = ''] = fs.readdirSync(folder).filter((name) => name.startsWith(`${agent}-`));
  return fs.readFileSync(new URL(file, folder), 'utf8').trim().split('\n');
}

describe.each(hookAgents)('events of %s', (agent) => {
  const [begin = '', end = ''] = recorded(agent);

  test('report the begin and the end of the same call', () => {
    const [first, last] = [parseHookEvent(agent, begin), parseHookEvent(agent, end)];
    expect(first).toMatchObject({ phase: 'begin', command: 'echo hello' });
    expect(last).toMatchObject({ phase: 'end', command: 'echo hello', call: first?.call });
  });

  test('are all understood', () => {
    for (const text of recorded(agent)) expect(parseHookEvent(agent, text)).not.toBeNull();
  });

  property.prop([
    fc.oneof(fc.string(), fc.json(), fc.constantFrom(...recorded(agent))),
    fc.nat(),
    fc.string(),
  ])('that are damaged are ignored or bounded', (text, at, inserted) => {
    const damaged = text.slice(0, at) + inserted + text.slice(at + inserted.length);
    const event = parseHookEvent(agent, damaged);
    if (event === null) return;
    expect(event.call.length).toBeLessThanOrEqual(200);
    expect(event.command.length).toBeLessThanOrEqual(16_384);
  });

  property.prop([fc.jsonValue(), fc.jsonValue(), fc.jsonValue()])(
    'with other types are ignored or bounded',
    (...values) => {
      const [tool_input, tool_use_id, session_id] = values;
      const event = parseHookEvent(
        agent,
        JSON.stringify({ ...JSON.parse(begin), tool_input, tool_use_id, session_id }),
      );
      if (event !== null) expect(event.call).toHaveProperty('length');
    },
  );
});

test('other tools are not watched', () => {
  const [begin = '{}'] = recorded('claude');
  expect(parseHookEvent('claude', begin.replace('"Bash"', '"Read"'))).toBeNull();
  expect(parseHookEvent('claude', begin.replace('PreToolUse', 'constructor'))).toBeNull();
});

test('a long id and a missing one are replaced by a digest', () => {
  const [begin = '{}'] = recorded('claude');
  const event = parseHookEvent(
    'claude',
    JSON.stringify({ ...JSON.parse(begin), tool_use_id: 'x'.repeat(1000) }),
  );
  expect(event?.call).toMatch(/^[\da-f]{32}$/);
});

test('the answer is what an agent reads as context of its tool call', () => {
  const [, end = ''] = recorded('gemini');
  const event = parseHookEvent('gemini', end);
  if (event === null) throw new Error('not understood');
  expect(JSON.parse(hookOutput(event, 'do it\notherwise'))).toEqual({
    hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: 'do it\notherwise' },
  });
});
