import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askUntil } from '../support/ask-until.js';
import { BackgroundHome } from '../support/background-home.js';
import { findTool } from '../support/find-tool.js';
import { Agent } from './agent.js';

/** A scripted agent: what it does next depends only on what the tools have told it. */

/** Counted as most do: a token is four characters. A client shows its model the text or the structure, here the longer. */
const tokensMax = 3000;

let home: BackgroundHome;
let agent: Agent;

beforeAll(async () => {
  home = new BackgroundHome();
  agent = await Agent.connect(home, { name: 'scripted' });
});

afterAll(async () => {
  await agent.close();
  await home.end();
});

const wait = (id: string, input: object = {}) => agent.ask('process', { action: 'wait', id, ...input });

/** What is asked again because the machine is slow does not count as shown. */
function again<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  const before = agent.shownChars;
  return askUntil(() => {
    agent.shownChars = before;
    return ask();
  }, isWanted);
}

async function startServer(): Promise<void> {
  fs.writeFileSync(
    path.join(home.path, 'server.mjs'),
    `import http from 'node:http';
     console.log('compiling …');
     const server = http.createServer((_, response) => response.end('it works'));
     setTimeout(() => server.listen(0, '127.0.0.1', () => console.log('ready')), 300);`,
  );
  const { id } = await agent.ask('start', { command: 'node server.mjs', label: 'dev server', waitS: 0 });
  const { status, port } = await wait(id, { until: ['port', 'exit', 'stuck'] });
  expect(status).toBe('port');
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('it works');
  expect(await agent.ask('process', { action: 'kill', id })).toMatchObject({ status: 'killed' });
}

const answers: [question: RegExp, answer: string][] = [
  [/^package name:/, 'solved'],
  [/^version:/, '2.0.0'],
  [/^description:/, 'made by an agent'],
  [/^Is this OK\?/, 'yes'],
  // Nothing: what it proposes is taken.
  [/^[\w ]+: (?:\(.*\) ?)?$/, ''],
];

async function answerNpmInit(): Promise<void> {
  const cwd = path.join(home.path, 'package');
  fs.mkdirSync(cwd);
  const { id } = await agent.ask('start', { command: ['npm', 'init'], cwd, stdin: true, waitS: 0 });
  for (let said = { status: 'running', output: '' }; said.status !== 'exited'; ) {
    const last = said.output.split('\n').at(-1) ?? '';
    const data = answers.find(([question]) => question.test(last))?.[1];
    // npm has timers, too: what it waits for is not proven, but it says nothing more.
    const more = () => wait(id, { until: ['needs-input', 'quiet'], quietS: 0.5 });
    if (data === undefined)
      said = await again(more, ({ output, status }) => output !== '' || status === 'exited');
    else said = await agent.ask('process', { action: 'submit', id, data });
  }
  expect(JSON.parse(fs.readFileSync(path.join(cwd, 'package.json'), 'utf8'))).toMatchObject({
    name: 'solved',
    version: '2.0.0',
    description: 'made by an agent',
  });
}

async function findTheHang(): Promise<void> {
  fs.writeFileSync(
    path.join(home.path, 'test_transfer.py'),
    `import threading, unittest
a, b = threading.Lock(), threading.Lock()
class Transfer(unittest.TestCase):
    def test_both_ways(self):
        gate = threading.Barrier(2)
        def move(source, target):
            with source:
                gate.wait()
                with target: pass
        threads = [threading.Thread(target=move, args=pair) for pair in ((a, b), (b, a))]
        for thread in threads: thread.start()
        for thread in threads: thread.join()`,
  );
  const { id } = await agent.ask('start', { command: 'python3 -m unittest test_transfer', waitS: 0 });
  // Tests of a second have not ended after three: proven to be stuck or not, there is a reason.
  const look = async () => {
    const { status } = await wait(id, { timeoutS: 3 });
    expect(['timeout', 'stuck']).toContain(status);
    return (await agent.ask('why', { id })).verdict;
  };
  // On a busy machine it may not have come that far.
  const verdict = await again(look, ({ certainty }) => certainty === 'certain');
  expect(verdict).toMatchObject({ kind: 'deadlock', certainty: 'certain' });
  expect(await agent.ask('process', { action: 'kill', id })).toMatchObject({ status: 'killed' });
}

test.skipIf(findTool('python3') === null)(
  'a server and its port, the questions of npm init, a hanging test run: solved with the tools alone, in few tokens',
  async () => {
    await startServer();
    await answerNpmInit();
    await findTheHang();
    const { runs } = await agent.ask('process', { action: 'list' });
    expect(runs.every((run: { status: string }) => run.status === 'exited')).toBe(true);
    const tokens = agent.shownChars / 4;
    expect(tokens).toBeLessThan(tokensMax);
  },
);

/** What a client shows its model of one dev server with a question and a hang, from the first call to the last. */
const scriptTokensMax = 1500;

test('start, wait for a port, log, a question, why and kill cost few tokens', async () => {
  const before = agent.shownChars;
  const { id } = await agent.ask('start', {
    command: `node -e '
      console.log("compiling …");
      require("node:http").createServer().listen(0, "127.0.0.1", () => process.stdout.write("Seed the database? "));
      require("node:readline").createInterface(process.stdin).once("line", (line) => console.log("seeding:", line));'`,
    ...{ label: 'web', stdin: true, timeout: '10m', waitS: 0 },
  });
  const { status, output } = await wait(id, { until: ['port', 'exit'] });
  expect(status).toBe('port');
  const log = () => agent.ask('process', { action: 'log', id });
  // What it printed may still be on its way to the log.
  expect((await again(log, ({ lines }) => lines.length > 0)).lines[0]).toBe('compiling …');
  // Else the question is taken for what follows its answer.
  let shown = output;
  const more = async () => {
    shown += (await wait(id, { until: ['needs-input', 'quiet'], quietS: 0.2, timeoutS: 1 })).output;
    return shown;
  };
  expect(await again(more, (text) => text.includes('Seed the database?'))).toContain('Seed');
  const answered = await agent.ask('process', { action: 'submit', id, data: 'yes', timeoutS: 60 });
  expect(answered.output).toContain('seeding: yes');
  const why = () => agent.ask('why', { id });
  expect((await again(why, ({ verdict }) => verdict.kind === 'service')).verdict.kind).toBe('service');
  expect(await agent.ask('process', { action: 'kill', id })).toMatchObject({ status: 'killed' });
  expect((agent.shownChars - before) / 4).toBeLessThan(scriptTokensMax);
});

/** Listed in every session, whether the tools are used or not. */
const listedTokensMax = 2200;

test('the list of tools and the instructions cost few tokens', async () => {
  const { tools } = await agent.client.listTools();
  const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const chars = JSON.stringify(shown).length + (agent.client.getInstructions() ?? '').length;
  expect(chars / 4).toBeLessThan(listedTokensMax);
});
