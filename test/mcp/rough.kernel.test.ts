import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BackgroundHome, until } from '../support/background-home.js';
import { cliPath } from '../support/run-cli.js';
import { Agent, type Answered } from './agent.js';

let home: BackgroundHome;
let agent: Agent;

beforeAll(async () => {
  home = new BackgroundHome();
  agent = await Agent.connect(home);
});

afterAll(async () => {
  await agent.close();
  await home.end();
});

test('what cannot be meant is an error with a hint, and nothing else happens', async () => {
  const bad: [string, object, string][] = [
    ['start', {}, 'start: command must be a text or a list; it is missing'],
    ['start', { command: 7 }, 'start: command must be a text or a list, not the number 7'],
    ['start', { command: '' }, 'no command given'],
    [
      'start',
      { command: 'true', waitS: 'soon' },
      'start: waitS must be a number, not a text of 4 characters',
    ],
    ['start', { command: 'true', timeout: 'soon' }, 'timeout'],
    [
      'start',
      { command: 'true', killOn: 'always' },
      'start: killOn must be one of never, certain, high, medium',
    ],
    ['start', { command: 'true', notifyEvery: '2d' }, 'start: notifyEvery must be a time of at most a day'],
    [
      'process',
      { action: 'poll', id: 'run_1111', run_id: 'run_2222' },
      'process: id and run_id mean the same and differ',
    ],
    ['start', { command: 'true', comand: 1 }, 'start: unknown field comand'],
    ['process', { action: 'dance' }, 'process: action must be one of list, poll, log, wait'],
    ['process', { action: 'poll' }, 'poll: id is missing'],
    ['process', { action: 'poll', id: 'run_x' }, 'there is no run "run_x"'],
    ['process', { action: 'poll', id: 12345 }, 'there is no run "12345"'],
    ['process', { action: 'list', port: 80 }, 'list: unknown field port'],
    ['process', { action: 'wait', id: 'abcd', until: ['never'] }, 'process: until.0 must be one of exit'],
    ['why', {}, 'why: give either id or pid'],
    ['why', { pid: 2 ** 22 }, 'process'],
    ['notices', { ack: -1 }, 'notices: ack must be at least 0'],
  ];
  for (const [tool, input, message] of bad) {
    const error = await agent.fail(tool, input);
    expect(error.message).toContain(message);
    expect(error.hint).not.toBe('');
  }
  await expect(agent.client.callTool({ name: 'rm', arguments: {} })).rejects.toThrow('no such tool');
  expect((await home.call('list', {})).runs).toEqual([]);
});

test('a path that does not exist, a program that does not, 5 MB of command, a word too long for the kernel', async () => {
  const start = (input: object) => agent.fail('start', { waitS: 50, ...input });
  expect(await start({ command: ['true'], cwd: '/does/not/exist' })).toMatchObject({
    message: expect.stringContaining('/does/not/exist'),
  });
  expect(await start({ command: ['true'], cwd: 'here' })).toMatchObject({ code: 'bad-input' });
  expect(await start({ command: ['no-such-program-at-all'] })).toMatchObject({ code: 'command-not-found' });
  expect(await start({ command: `echo ${'x'.repeat(5_000_000)}` })).toMatchObject({ code: 'bad-input' });
  expect(await start({ command: ['echo', 'x'.repeat(3_000_000)] })).toMatchObject({
    hint: expect.any(String),
  });
  expect(await agent.ask('start', { command: 'echo fine', waitS: 50, cwd: null, env: null })).toMatchObject({
    status: 'exited',
    output: 'fine\n',
  });
});

test('a flood of calls is answered, each with its own', async () => {
  const { id } = await agent.ask('start', { command: ['sleep', '1000'], waitS: 0 });
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, n) =>
      n % 2 === 0
        ? agent.call('process', { action: 'poll', id })
        : agent.call('process', { action: 'log', id: id.slice(4, 12), offset: n }),
    ),
  );
  expect(answers.filter(({ isError }) => isError)).toEqual([]);
  expect(new Set(answers.map((one) => one.structuredContent.id))).toEqual(new Set([id]));
  await agent.ask('process', { action: 'kill', id });
});

test('the daemon is killed in the middle of a wait: the wait goes on', async () => {
  const file = path.join(home.path, 'go');
  const { id } = await agent.ask('start', {
    command: ['sh', '-c', `while [ ! -e ${file} ]; do sleep 0.05; done; exit 4`],
    waitS: 0,
  });
  const waiting = agent.ask('process', { action: 'wait', id });
  await until(() => home.killDaemon(), 'the daemon is killed');
  fs.writeFileSync(file, '');
  expect(await waiting).toMatchObject({ status: 'exited', exit: { code: 4 } });
});

test('the server is killed in the middle of a wait: the run goes on, and its next server finds it', async () => {
  const first = await Agent.connect(home, { name: 'phoenix' });
  const { id, pid } = await first.ask('start', { command: ['sleep', '1000'], waitS: 0 });
  const waiting = expect(first.ask('process', { action: 'wait', id })).rejects.toThrow();
  process.kill(first.pid, 'SIGKILL');
  await waiting;
  process.kill(pid, 0);
  const second = await Agent.connect(home, { name: 'phoenix' });
  try {
    expect(await second.ask('process', { action: 'list' })).toMatchObject({
      runs: [{ id, status: 'running' }],
    });
    expect(await second.ask('process', { action: 'kill', id })).toMatchObject({ status: 'killed' });
  } finally {
    await second.close();
  }
});

test('garbage is answered and does not end it, integer ids are integers, and it ends with its client', async () => {
  const child = spawn(process.execPath, [cliPath, 'mcp'], {
    env: home.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let noted = '';
  child.stderr.on('data', (chunk) => {
    noted += chunk;
  });
  const ended = once(child, 'close');
  const answers: Answered[] = [];
  let rest = '';
  child.stdout.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    answers.push(...lines.map((line) => JSON.parse(line)));
  });
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
  child.stdin.write(Buffer.from('{"jsonrpc": \xff\xfe garbage\n[]\n{}\n\n', 'latin1'));
  child.stdin.write('{"jsonrpc": "1.0", "id": 7, "method": "ping"}\n{"id": 8, "result": 1}\n');
  const list = { name: 'process', arguments: { action: 'list' } };
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 9_007_199_254_740_991, method: 'tools/call', params: list })}\n`,
  );
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'text', method: 'no/such/method' })}\n`);
  const answerTo = (id: unknown) => answers.find((answer) => answer.id === id);
  await until(() => [0, 7, 9_007_199_254_740_991, 'text'].every(answerTo), 'all are answered');
  expect(answerTo(0).result.protocolVersion).toBe('2025-06-18');
  expect(answerTo(9_007_199_254_740_991).result.structuredContent).toMatchObject({ runs: [] });
  expect(answerTo('text').error.code).toBe(-32601);
  expect(answerTo(7).error).toEqual({ code: -32600, message: 'not a message of JSON-RPC 2.0' });
  expect(answers.filter(({ id }) => id === null).map(({ error }) => error.code)).toEqual([
    -32700, -32600, -32600,
  ]);
  child.stdin.end();
  expect((await ended)[0]).toBe(0);
  expect(noted.trim().split('\n'), 'a line for each').toHaveLength(4);
});
