import { advanceAgent, startAgent } from '../src/diagnose/agents/agent-state.js';
import { AgentStream } from '../src/diagnose/agents/agent-stream.js';
import { agentProfiles } from '../src/diagnose/agents/profiles.js';
import type { AgentName } from '../src/model/run/agent.js';
import { takeTurns, timing } from './measure.js';
import { type Goal, type Table, times } from './report.js';

/** As a pipe is read. */
const chunkBytes = 64 * 1024;
const newline = 0x0a;

const prose = 'It reads the file, finds "the cause" in line 42, and changes it.\nThen the tests run again. ';
const text = (chars: number) => prose.repeat(Math.ceil(chars / prose.length)).slice(0, chars);

const usage = {
  input_tokens: 12,
  cache_creation_input_tokens: 800,
  cache_read_input_tokens: 20_000,
  output_tokens: 90,
};
const envelope = { parent_tool_use_id: null, session_id: '0b6f2c1e-8f6d-4a59', uuid: 'b1946ac9-2492-4d23' };

const claudeSays = (at: number, content: unknown) => ({
  type: 'assistant',
  message: {
    model: 'claude',
    id: `msg_${at}`,
    type: 'message',
    role: 'assistant',
    content: [content],
    usage,
  },
  ...envelope,
});
const claudeCalls = (at: number) =>
  claudeSays(at, { type: 'tool_use', id: `toolu_${at}`, name: 'Bash', input: { command: text(80) } });
const claudeGets = (at: number, chars: number) => ({
  type: 'user',
  message: {
    role: 'user',
    content: [{ tool_use_id: `toolu_${at}`, type: 'tool_result', content: text(chars) }],
  },
  ...envelope,
});
const claudeDelta = (at: number) => ({
  type: 'stream_event',
  event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: text(8 + (at % 20)) } },
  ...envelope,
});

const codexItem = (at: number, chars: number) => ({
  type: 'item.completed',
  item: {
    id: `item_${at}`,
    type: 'command_execution',
    command: text(60),
    aggregated_output: text(chars),
    exit_code: 0,
    status: 'completed',
  },
});
const geminiDelta = (at: number) => ({
  type: 'message',
  timestamp: '2026-01-10T12:00:02.000Z',
  role: 'assistant',
  content: text(8 + (at % 20)),
  delta: true,
});

/** What streams are made of; the last ones are those that we like least. */
const mixes: Record<string, { agent: AgentName; lines(at: number): unknown[] }> = {
  'claude, tool results of 2 to 60 kB': {
    agent: 'claude',
    lines: (at) => [claudeCalls(at), claudeGets(at, 2000 + ((at * 7919) % 58_000))],
  },
  'claude, with partial messages': {
    agent: 'claude',
    lines: (at) => [
      ...Array.from({ length: 60 }, (_, part) => claudeDelta(part)),
      claudeCalls(at),
      claudeGets(at, 3000),
    ],
  },
  'codex, outputs of 2 to 60 kB': {
    agent: 'codex',
    lines: (at) => [codexItem(at, 2000 + ((at * 7919) % 58_000))],
  },
  'claude, only short lines that matter': {
    agent: 'claude',
    lines: (at) => [claudeCalls(at), claudeGets(at, 200)],
  },
  'gemini, only deltas': { agent: 'gemini', lines: (at) => [geminiDelta(at)] },
};

/** At least so many bytes, cut as a pipe would. */
function chunksOf(mix: string, bytesMin: number): Buffer[] {
  const block = Buffer.from(
    Array.from({ length: 400 }, (_, at) => mixes[mix]?.lines(at) ?? [])
      .flat()
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  const chunks: Buffer[] = [];
  let rest = Buffer.alloc(0);
  for (let bytes = 0; bytes < bytesMin; bytes += block.length) {
    rest = Buffer.concat([rest, block]);
    while (rest.length >= chunkBytes) {
      chunks.push(rest.subarray(0, chunkBytes));
      rest = rest.subarray(chunkBytes);
    }
  }
  return [...chunks, rest];
}

function readOurselves(agent: AgentName, chunks: readonly Buffer[]): number {
  let state = startAgent;
  const stream = new AgentStream(agentProfiles[agent], (event) => {
    state = advanceAgent(state, event, 0);
  });
  for (const chunk of chunks) stream.push(chunk);
  stream.end();
  return stream.counts.lines;
}

/** Every line made into text and parsed, and nothing done with it. */
function parseAlone(chunks: readonly Buffer[]): number {
  let lines = 0;
  let rest: Buffer[] = [];
  for (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const line =
        rest.length === 0
          ? chunk.toString('utf8', start, end)
          : Buffer.concat([...rest, chunk.subarray(0, end)]).toString();
      rest = [];
      JSON.parse(line);
      lines++;
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
  return lines;
}

/** What reading along costs, against JSON.parse alone. */
export async function benchAgentStream(
  bytes: number,
  rounds: number,
): Promise<{ tables: Table[]; goals: Goal[] }> {
  const speed = (ms: number) => `${Math.round(bytes / 1e3 / ms)} MB/s`;
  const rows: string[][] = [];
  for (const [mix, { agent }] of Object.entries(mixes)) {
    const chunks = chunksOf(mix, bytes);
    const lines = new Set<number>();
    const samples = await takeTurns(
      { ours: () => lines.add(readOurselves(agent, chunks)), parse: () => lines.add(parseAlone(chunks)) },
      rounds,
    );
    if (lines.size !== 1) throw new Error(`${mix}: ${[...lines].join(' or ')} lines?`);
    const [ours, parse] = [timing(samples.ours), timing(samples.parse)];
    const count = [...lines].map((each) => each.toLocaleString('en')).join();
    rows.push([
      mix,
      count,
      speed(ours.minMs),
      speed(ours.medianMs),
      speed(parse.minMs),
      speed(parse.medianMs),
      times(parse.medianMs / ours.medianMs, 2),
    ]);
  }
  return {
    tables: [
      {
        title: `The events of an agent in ${Math.round(bytes / 1e6)} MB of its output`,
        note: 'Ours: lines, events and state. Against it: the same lines, each made into text and parsed, nothing done with them. Below 1x we lose.',
        head: ['', 'lines', 'best', 'median', 'JSON.parse, best', 'median', 'against JSON.parse'],
        rows,
      },
    ],
    goals: [],
  };
}
