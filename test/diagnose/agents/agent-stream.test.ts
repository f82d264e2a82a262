import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { AgentStream } from '../../../src/diagnose/agents/agent-stream.js';
import { agentProfiles } from '../../../src/diagnose/agents/profiles.js';
import { agentNames } from '../../../src/model/run/agent.js';
import { documentedAgents, fixtureOf, hear, shorten } from './read-fixture.js';

const line = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`);

const toolResult = (id: string, content: string) => ({
  type: 'user',
  message: { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content }] },
});

/** What it does comes after what it says. */
const longTurn = (chars: number) => ({
  type: 'assistant',
  message: {
    id: 'm',
    content: [
      { type: 'text', text: 'z'.repeat(chars) },
      { type: 'tool_use', id: 't', name: 'Bash', input: {} },
    ],
  },
});

describe('the stream of an agent, whatever comes', () => {
  it('other lines in between, and malformed lines, are counted and skipped', () => {
    const noise = Buffer.from('npm warn old\n{not json\n{"type":"user","mess\n{"a":1}\n[1]\n\n  \r\n');
    const { events, counts } = hear('claude', [noise, fixtureOf('claude'), noise]);
    expect(shorten(events)).toEqual(shorten(hear('claude', [fixtureOf('claude')]).events));
    expect(counts).toMatchObject({ other: 6, invalid: 4, lines: 14 + 10 });
  });

  it('spaces, a carriage return and another order of keys do not matter', () => {
    const text = '  {"session_id":"x", "is_error":true,"result":"no","type":"result"}  \r\n';
    expect(shorten(hear('claude', [Buffer.from(text)]).events)).toEqual(['tokens 0 ', 'result false no']);
  });

  it('a type inside an argument is not the type of the line', () => {
    const nested = line({ type: 'stream_event', event: { type: 'result', result: 'no' } });
    expect(shorten(hear('claude', [nested]).events)).toEqual(['activity']);
  });

  it('of a line of 50 MB the ids at its beginning are read, in constant memory', () => {
    const [head = '', tail = ''] = JSON.stringify(toolResult('toolu_9', '@')).split('@');
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const before = process.memoryUsage.rss();
    const chunks = [Buffer.from(head), ...Array.from({ length: 50 }, () => piece), Buffer.from(`${tail}\n`)];
    const { events, counts } = hear('claude', [...chunks, line({ type: 'keep_alive' })]);
    expect(shorten(events)).toEqual(['tool-ended toolu_9 false', 'activity']);
    expect(counts).toEqual({ lines: 2, other: 0, invalid: 0, cut: 1 });
    expect(process.memoryUsage.rss() - before).toBeLessThan(20e6);
  });

  it('a long line of an agent that starts a tool still names the tool', () => {
    const content = [
      { type: 'tool_use', id: 'toolu_8', name: 'Write', input: { text: 'y'.repeat(200_000) } },
    ];
    const { events } = hear('claude', [line({ type: 'assistant', message: { id: 'm', content } })]);
    expect(shorten(events)).toEqual(['turn m', 'tokens 0 m', 'tool-started toolu_8 Write']);
  });

  const tick = (at: number) => ({ type: 'tool_progress', tool_use_id: `t-heartbeat-${at}`, heartbeat: true });

  it('a chunk of heartbeats is no output, whatever else is', () => {
    const outputs = (chunks: Buffer[]) => {
      const stream = new AgentStream(agentProfiles.claude, () => {});
      return chunks.map((chunk) => stream.push(chunk));
    };
    expect(outputs([line(tick(0)), Buffer.concat([line(tick(1)), line(tick(2))])])).toEqual([false, false]);
    expect(outputs([line(tick(0)), Buffer.concat([line(tick(1)), line({ type: 'keep_alive' })])])).toEqual([
      false,
      true,
    ]);
    const cut = line(tick(0));
    expect(outputs([cut.subarray(0, 20), cut.subarray(20)])).toEqual([false, false]);
    expect(
      outputs([Buffer.from('Continue? '), Buffer.from('\n'), Buffer.from('{"a"'), Buffer.from(':1}\n')]),
    ).toEqual([true, true, false, true]);
    expect(outputs([Buffer.from(`{"type":"user","x":"${'y'.repeat(5000)}`)])).toEqual([true]);
  });

  it('fields are found after 10 MB of output, in a line of any kind', () => {
    const long = 'é"\\\n'.repeat(2_000_000);
    const content = [{ type: 'tool_result', content: long, is_error: true, tool_use_id: 'toolu_7' }];
    const failed = line({ type: 'user', message: { role: 'user', content }, tool_use_result: long });
    const result = line({
      duration_ms: 1,
      usage: { input_tokens: 3 },
      result: long,
      subtype: 'success',
      type: 'result',
    });
    const { events, counts } = hear('claude', [failed, result]);
    expect(shorten(events).map((text) => text.slice(0, 24))).toEqual([
      'tool-ended toolu_7 true',
      'tokens 3 ',
      expect.stringMatching(/^result true é"/),
    ]);
    expect(counts).toEqual({ lines: 2, other: 0, invalid: 0, cut: 2 });
  });

  it('a line that never ends takes no more memory, and time in proportion', () => {
    const stream = new AgentStream(agentProfiles.claude, () => {});
    stream.push(Buffer.from('{"type":"user","message":['));
    const pieces = ['[', '{"a":"', '\\', '"x",', '1,', 'y'].map((text) => Buffer.alloc(1024 * 1024, text));
    const before = process.memoryUsage.rss();
    for (let round = 0; round < 8; round++) for (const piece of pieces) stream.push(piece);
    stream.end();
    expect(process.memoryUsage.rss() - before).toBeLessThan(30e6);
    expect(stream.counts).toMatchObject({ lines: 1, cut: 1 });
  });

  it('bytes that are no UTF-8 break nothing', () => {
    const bad = Buffer.concat([
      Buffer.from('{"type":"result","result":"a'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('"}\n'),
    ]);
    expect(shorten(hear('claude', [bad]).events)).toEqual(['tokens 0 ', 'result true a\ufffd\ufffd']);
  });

  it('the last line needs no end', () => {
    const { events } = hear('codex', [Buffer.from('{"type":"turn.started"}')]);
    expect(shorten(events)).toEqual(['turn ']);
  });
});

const junk = fc.oneof(
  fc.constantFrom(
    '\n',
    '{',
    '}',
    '"',
    '\\',
    '{"type":"',
    '{"type":"assistant","message":',
    'é',
    '\r\n',
    '   ',
  ),
  fc.string({ maxLength: 20 }),
);

/** Lines of all agents, cut short or followed by anything. */
const streams = fc.array(
  fc.oneof(
    junk,
    fc
      .tuple(fc.constantFrom(...documentedAgents), fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([agent, at, share]) => {
        const lines = fixtureOf(agent).toString().split('\n');
        const text = lines[at % lines.length] ?? '';
        return share > 0.7 ? `${text}\n` : text.slice(0, Math.floor(share * text.length));
      }),
    fc.nat({ max: 90_000 }).map((size) => `${JSON.stringify(toolResult('t', 'z'.repeat(size)))}\n`),
    fc.nat({ max: 90_000 }).map((size) => `${JSON.stringify(longTurn(size))}\n`),
  ),
  { maxLength: 12 },
);

describe('properties', () => {
  test.prop(
    [fc.constantFrom(...agentNames), streams, fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1 })],
    {
      numRuns: 150,
    },
  )('how the bytes are cut into chunks changes nothing', (agent, parts, sizes) => {
    const bytes = Buffer.from(parts.join(''));
    const chunks: Buffer[] = [];
    for (let [from, at] = [0, 0]; from < bytes.length; at++) {
      const size = sizes[at % sizes.length] ?? 1;
      chunks.push(bytes.subarray(from, from + size));
      from += size;
    }
    expect(hear(agent, chunks)).toEqual(hear(agent, [bytes]));
  });
});
