import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../../src/model/run/run.js';
import { compile, programsDir } from '../../../support/compile.js';
import { afterThisTest } from '../../../support/per-test.js';
import { isSecondPass } from '../../../support/second-pass.js';
import { startRunCli as run } from '../../../support/start-run-cli.js';

const standIn = path.join(programsDir, 'stand-in-agent.py');

const agents = ['claude', 'codex', 'gemini', 'opencode'] as const;
type Agent = (typeof agents)[number];
type Stdin = 'null' | 'pipe' | 'socket' | 'tty';

/** A run that is not found stuck ends all the same, and leaves nothing behind. */
const watching = [
  '--json',
  '--heartbeat',
  '1s',
  '--grace',
  '500ms',
  '--timeout',
  '150s',
  '--leftovers',
  'kill',
];

interface ToolOptions {
  sample?: string;
  /** A command that the agent starts before the tool and does not wait for. */
  more?: string[];
  env?: NodeJS.ProcessEnv;
  silentInput?: boolean;
}

function runTool(
  agent: Agent,
  stdin: Stdin,
  command: string,
  { sample = '300ms', more = [] as string[], ...cli }: ToolOptions = {},
) {
  const stopping = ['--sample', sample, '--kill-stuck', 'part', '--agent', agent];
  const input = cli.silentInput ? ['--stdin', 'pipe'] : [];
  const words = [
    ...watching,
    ...stopping,
    ...input,
    '--',
    'python3',
    standIn,
    agent,
    stdin,
    command,
    ...more,
  ];
  return run(words, cli);
}

/** The same, and the agent prints no events. */
function runTextTool(agent: Agent, command: string, { env, ...options }: ToolOptions = {}) {
  return runTool(agent, 'null', command, { ...options, env: { ...env, TEXT: '1' } });
}

function eventsOf<K extends RunEvent['kind']>(events: RunEvent[], kind: K): Extract<RunEvent, { kind: K }>[] {
  return events.filter((event): event is Extract<RunEvent, { kind: K }> => event.kind === kind);
}

const inHome = (script: string): string => `cd "$HOME_OF_RUN"; ${script}`;

describe.concurrent('a hung tool is found and stopped, and its agent ends by itself', () => {
  it.each<[string, Agent, Stdin, () => Promise<string> | string, string, string]>([
    ['a deadlock', 'claude', 'null', () => compile('mutex-ab-ba'), 'deadlock', 'mutex-ab-ba'],
    ['a FIFO that nothing writes', 'opencode', 'null', () => inHome('mkfifo f; cat f; :'), 'event', 'cat'],
    [
      'a FIFO that nothing reads',
      'codex',
      'null',
      () => inHome('mkfifo f; echo text >f; :'),
      'event',
      'bash',
    ],
    ['a question on the pipe of its agent', 'gemini', 'pipe', () => 'cat; :', 'needs-input', 'cat'],
    ['a question on the socket of its agent', 'opencode', 'socket', () => 'cat; :', 'needs-input', 'cat'],
    ['a question on the terminal of its agent', 'codex', 'tty', () => 'cat; :', 'needs-input', 'cat'],
  ])('%s: %s', async (_, agent, stdin, make, kind, name) => {
    const cli = runTool(agent, stdin, await make());
    expect(await cli.done).toBe(0);
    const [found, ...others] = eventsOf(cli.events, 'finding').map(({ finding }) => finding);
    expect(found).toMatchObject({ kind, name, owner: { name: 'python3' } });
    expect(others).toEqual([]);
    expect(eventsOf(cli.events, 'part-stopped')[0]?.receipt.survivors).toEqual([]);
    expect(eventsOf(cli.events, 'exited')[0]).toMatchObject({ outcome: 'exited', exitCode: 0 });
  });

  it('a stopped tool, after it has stood for ten seconds: gemini', async () => {
    const cli = runTool('gemini', 'null', "sh -c 'kill -STOP $$'; :", { sample: '2s' });
    expect(await cli.done).toBe(0);
    expect(eventsOf(cli.events, 'finding')[0]?.finding).toMatchObject({ kind: 'stopped', name: 'sh' });
  });
});

describe.concurrent('what a tool leaves behind', () => {
  it.each<[Agent, string, string]>([
    ['gemini', 'a server', "perl -MIO::Socket -e 'IO::Socket::INET->new(Listen => 1)->accept'"],
    ['opencode', 'a long sleep', 'sleep 4000'],
  ])('is found when it keeps the output open that %s waits for: %s', async (agent, _, command) => {
    const cli = runTool(agent, 'null', `${command} & echo started`);
    expect(await cli.done).toBe(0);
    const [found] = eventsOf(cli.events, 'finding').map(({ finding }) => finding);
    expect(found).toMatchObject({ kind: 'lingering', certainty: 'high', owner: { name: 'python3' } });
    const [stopped] = eventsOf(cli.events, 'part-stopped');
    expect(stopped?.receipt.processes.map(({ pid }) => pid)).toEqual([found?.pid]);
  });

  it('is no fault while it gets on', async () => {
    const cli = runTool('gemini', 'null', '{ sleep 3; echo late; } & echo started');
    expect(await cli.done).toBe(0);
    expect(eventsOf(cli.events, 'finding')).toEqual([]);
  });
});

describe.concurrent('a tool or a server that goes on is no finding', () => {
  it.each<[string, Agent, Stdin, string, string[]?]>([
    ['a tool that sleeps', 'claude', 'null', 'sleep 4'],
    ['a tool that works', 'codex', 'null', 'timeout 4 sha256sum /dev/zero; true'],
    ['a tool that waits for its own worker', 'gemini', 'pipe', 'sleep 4 | cat'],
    ['an idle worker of a tool', 'opencode', 'null', 'sleep 4 | { cat; }'],
    [
      'a FIFO whose partner comes later',
      'claude',
      'null',
      inHome('mkfifo f; { sleep 4; echo late >f; } & cat f'),
    ],
    [
      'a FIFO that another tool opens later',
      'codex',
      'null',
      inHome('mkfifo f; cat f'),
      [inHome('sleep 4; echo late >f')],
    ],
    ['tail -f in the background', 'gemini', 'null', 'sleep 4', ['tail -f /dev/null']],
    ['a server in the background', 'opencode', 'null', "perl -e 'sleep 4000' >/dev/null 2>&1 & sleep 4"],
    ['a sub-agent with an idle server', 'claude', 'null', `python3 '${standIn}' gemini pipe 'sleep 4'`],
  ])('%s', async (_, agent, stdin, command, more) => {
    const cli = runTool(agent, stdin, command, { more });
    expect(await cli.done).toBe(0);
    expect(eventsOf(cli.events, 'finding')).toEqual([]);
  });

  it('a worker that the agent starts without a session of its own, while no stream is read', async () => {
    const cli = run([
      ...watching,
      '--sample',
      '300ms',
      '--',
      'python3',
      standIn,
      'claude',
      'pipe',
      'timeout 4 cat',
    ]);
    expect(await cli.done).toBe(0);
    expect(eventsOf(cli.events, 'finding')).toEqual([]);
  });
});

describe.concurrent('below an agent that prints text', () => {
  it.each<[string, Agent, string, string]>([
    ['a FIFO that nothing writes', 'claude', inHome('mkfifo f; cat f; :'), 'event'],
    ['a FIFO that nothing reads', 'codex', inHome('mkfifo f; echo text >f; :'), 'event'],
    ['a process that was left behind and keeps the output open', 'gemini', 'sleep 4000 & :', 'lingering'],
  ])('%s is found and stopped: %s', async (_, agent, command, kind) => {
    const cli = runTextTool(agent, command);
    expect(await cli.done).toBe(0);
    expect(eventsOf(cli.events, 'finding').map(({ finding }) => finding)).toMatchObject([{ kind }]);
    expect(eventsOf(cli.events, 'exited')[0]).toMatchObject({ outcome: 'exited', exitCode: 0 });
  });

  const opensFifo = inHome('mkfifo f; cat f; :');

  it.each<[string, (port: number) => string, ToolOptions]>([
    ['in the background, while the model is asked', (port) => `model ${port}`, { more: [opensFifo] }],
    ['in a server with a session of its own', (port) => `model ${port}`, { env: { SERVER: opensFifo } }],
    ['below an agent whose next task comes by a pipe', () => opensFifo, { silentInput: true }],
  ])('a FIFO that is opened from elsewhere is no finding %s', async (_, command, options) => {
    const model = await startModel();
    const cli = runTextTool('claude', command(model.port), options);
    await cli.until('five seconds of it', () =>
      eventsOf(cli.events, 'heartbeat').find(({ elapsedMs }) => elapsedMs > 5000),
    );
    expect(eventsOf(cli.events, 'finding')).toEqual([]);
    writeFileSync(path.join(cli.home, 'f'), '');
    model.answer();
    expect(await cli.done).toBe(0);
  });

  it.each<[string, string, ToolOptions]>([
    ['a FIFO whose partner comes later', inHome('mkfifo f; { sleep 4; echo late >f; } & cat f'), {}],
    [
      'a FIFO that another tool opens later',
      inHome('mkfifo f; cat f'),
      { more: [inHome('sleep 4; echo >f')] },
    ],
    ['a process that was left behind and ends soon', '{ sleep 3; echo late; } & :', {}],
  ])('%s is none', async (_, command, options) => {
    const cli = runTextTool('gemini', command, options);
    expect(await cli.done).toBe(0);
    expect(eventsOf(cli.events, 'finding')).toEqual([]);
  });
});

/** A model that answers when it is asked to, and from then on at once; it ends with the test. */
async function startModel(): Promise<{ port: number; answer: () => void }> {
  const connections: Socket[] = [];
  let isAnswering = false;
  const reply = (connection: Socket) => connection.end('HTTP/1.1 200 OK\r\n\r\n');
  const server = createServer((connection) => {
    // The agent closes it without reading all.
    connection.on('error', () => {});
    connections.push(connection);
    if (isAnswering) reply(connection);
  });
  afterThisTest(() => {
    for (const connection of connections) connection.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const answer = () => {
    isAnswering = true;
    connections.forEach(reply);
  };
  return { port, answer };
}

describe.skipIf(isSecondPass).concurrent('a model that has not answered', () => {
  it.each(agents)('%s shows that it waits for its model, and for how long', async (agent) => {
    const model = await startModel();
    const cli = runTool(agent, 'null', `model ${model.port}`);
    const beat = await cli.until('a heartbeat with the wait', () =>
      eventsOf(cli.events, 'heartbeat').find((event) => (event.agent?.waits?.forMs ?? 0) > 2000),
    );
    expect(beat).toMatchObject({ health: 'healthy', agent: { waits: { for: 'model' }, tool: null } });
    model.answer();
    expect(await cli.done).toBe(0);
    expect(eventsOf(cli.events, 'finding')).toEqual([]);
    expect(eventsOf(cli.events, 'health')).toEqual([]);
  });

  it('is not waited for while a tool runs', async () => {
    const cli = runTool('claude', 'null', 'sleep 4');
    expect(await cli.done).toBe(0);
    const beats = eventsOf(cli.events, 'heartbeat');
    expect(beats.length).toBeGreaterThan(0);
    expect(beats.every(({ agent }) => agent?.waits === null)).toBe(true);
  });
});

/** Reported after a second instead of half a minute. */
const impatient = ['--agent-patience', '1s'];

function runImpatient(agent: Agent, command: string) {
  const options = ['--sample', '300ms', '--agent', agent, ...impatient];
  return run([...watching, ...options, '--', 'python3', standIn, agent, 'null', command]);
}

const reasons = ({ events }: { events: RunEvent[] }): string[] =>
  eventsOf(events, 'health').map(({ diagnosis }) => diagnosis.reason);

describe.skipIf(isSecondPass).concurrent('what only the stream and the tree together show', () => {
  it.each(['claude', 'codex', 'gemini'] as const)('%s: the result of a tool was lost', async (agent) => {
    const cli = runImpatient(agent, 'lost true');
    const { diagnosis } = await cli.until('such a health', () =>
      eventsOf(cli.events, 'health').find((event) => event.diagnosis.reason.includes('the result was lost')),
    );
    expect(diagnosis).toMatchObject({ health: 'likely-stuck', confidence: 'medium', safeToKill: false });
    expect(diagnosis.reason).toMatch(/^\w+ says its tool \w+ is running, but no process of it exists/);
    cli.child.kill('SIGTERM');
    await cli.done;
    expect(eventsOf(cli.events, 'finding')).toEqual([]);
  });

  it('a hook does not end after the result', async () => {
    const cli = runImpatient('claude', 'hook sleep 600; true');
    const { diagnosis } = await cli.until('such a health', () =>
      eventsOf(cli.events, 'health').find((event) => event.diagnosis.reason.includes('its hook bash(')),
    );
    expect(diagnosis.reason).toMatch(
      /^claude has finished .* ago, but its hook bash\(\d+\) does not end: sleep sleeps/,
    );
    expect(diagnosis.recommendation).toMatch(
      /stop the hook: kill \d+, or change it .*\.claude\/settings\.json/,
    );
    cli.child.kill('SIGTERM');
    await cli.done;
  });

  it('no result is lost while a tool runs, runs inside of the agent, or has ended and the model is asked', async () => {
    const model = await startModel();
    const all = ['sleep 5', 'inside 5', `asks ${model.port} sleep 1`].map((command) =>
      runImpatient('claude', command),
    );
    const [runs, inside, asks] = all;
    expect(await runs?.done).toBe(0);
    expect(await inside?.done).toBe(0);
    model.answer();
    expect(await asks?.done).toBe(0);
    expect(all.flatMap(reasons).filter((reason) => /lost|hook/.test(reason))).toEqual([]);
  });
});
