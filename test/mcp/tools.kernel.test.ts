import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askUntil } from '../support/ask-until.js';
import { BackgroundHome, until } from '../support/background-home.js';
import { Agent, type Revision, revisions } from './agent.js';

let home: BackgroundHome;

beforeAll(() => {
  home = new BackgroundHome();
});

afterAll(() => home.end());

describe.each(revisions)('the tools, revision %s', (revision: Revision) => {
  const answers: string[] = [];
  let agent: Agent;

  beforeAll(async () => {
    const person = (question: string) => {
      answers.push(question);
      return question.includes('really')
        ? { action: 'decline' as const }
        : { action: 'accept' as const, content: { answer: 'blue' } };
    };
    agent = await Agent.connect(home, { revision, person, name: `tester-${revision}` });
  });

  afterAll(() => agent.close());

  test('there are five tools, and each field has a description', async () => {
    expect(agent.client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(agent.client.getInstructions()).toContain('Waiting costs nothing');
    const { tools } = await agent.client.listTools();
    const fields = Object.fromEntries(
      tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]),
    );
    expect(fields).toEqual({
      start: [
        ...[
          'command',
          'host',
          'cwd',
          'env',
          'label',
          'pty',
          'stdin',
          'watch',
          'notifyOnExit',
          'waitS',
          'timeout',
        ],
        ...[
          'idleTimeout',
          'killOn',
          'killStuck',
          'expectOutputEvery',
          'expectDoneIn',
          'task',
          'tags',
          'restart',
          'notifyEvery',
        ],
      ],
      process: [
        ...[
          'action',
          'id',
          'ids',
          'host',
          'mode',
          'data',
          'timeoutS',
          'until',
          'match',
          'port',
          'quietS',
          'offset',
          'limit',
        ],
        ...['search', 'errors', 'ask', 'task', 'tag', 'all'],
      ],
      why: ['id', 'pid', 'all'],
      orphans: ['kill', 'force'],
      notices: ['ack'],
    });
    for (const { inputSchema } of tools) {
      for (const shape of Object.values(inputSchema.properties ?? {})) {
        expect(shape).toHaveProperty('description', expect.stringMatching(/\w/));
      }
    }
  });

  test('start, wait, read: colours gone, repaints collapsed, failures found, searched by the server', async () => {
    const script = `printf '\\033[31mred\\033[0m\\n10%%\\r100%%\\n\\377bad\\n'; i=0; while [ $i -lt 3000 ]; do echo "line $i"; i=$((i+1)); done; echo 'TypeError: x is not a function'; echo '0 errors'; exit 3`;
    const go = path.join(home.path, `go-${revision}`);
    const command = ['sh', '-c', `while [ ! -e ${go} ]; do sleep 0.05; done; ${script}`];
    const { id } = await agent.ask('start', { command, waitS: 0 });
    fs.writeFileSync(go, '');
    const { structuredContent: ended, content } = await agent.call('process', { action: 'wait', id });
    expect(ended).toMatchObject({ status: 'exited', exit: { code: 3 }, omitted: expect.any(Number) });
    expect(ended.output).toMatch(/^red\n100%\n\ufffdbad\nline 0\n/);
    expect(ended.output).toMatch(/\n… \[[\d,]+ characters omitted\] …\n/);
    expect(ended.output).toMatch(/\n0 errors\n$/);
    expect(content[0].text).toMatch(
      / has ended: exit 3\.\n\d+ characters in the middle of its output are omitted\.\n/,
    );
    expect(content[0].text).toContain(`\nnext: process {"action":"log","id":"${id}","errors":true}\n`);
    expect(content[0].text).toMatch(
      /\n<output-([0-9a-f]{8}) run_[0-9a-f]{12}>\nred\n100%[\s\S]*\n0 errors\n<\/output-\1>$/,
    );
    expect(ended.message).toBe(`${id} has ended: exit 3.`);

    const log = (input: object) => agent.ask('process', { action: 'log', id, ...input });
    expect((await log({ errors: true })).lines).toEqual(['3003: TypeError: x is not a function']);
    expect((await log({ search: 'line 299' })).lines).toEqual([
      '302: line 299',
      ...Array.from({ length: 10 }, (_, i) => `${2993 + i}: line ${2990 + i}`),
    ]);
    const page = await log({ search: '/^line \\d+$/', limit: 2 });
    expect(page).toMatchObject({ lines: ['3: line 0', '4: line 1'], nextOffset: 5 });
    expect(await log({ search: '/^line \\d+$/', limit: 1, offset: page.nextOffset })).toMatchObject({
      lines: ['5: line 2'],
    });
    const whole = await log({ offset: 0, limit: 3005 });
    expect(whole.lines.join('\n').length).toBeLessThan(8200);
    expect(whole).toMatchObject({ offset: 0, totalLines: 3005 });
    expect(whole.lines).toContainEqual(expect.stringMatching(/^… \d+ lines omitted …$/));
    expect(await log({ offset: 3003, limit: 1 })).toMatchObject({
      lines: ['TypeError: x is not a function'],
    });
  });

  test.runIf(revision === '2026-07-28')(
    'a regular expression that would take for ever is refused in time',
    async () => {
      const { id } = await agent.ask('start', {
        command: ['sh', '-c', `echo ${'a'.repeat(60)}b`],
        waitS: 50,
      });
      const search = '/^(a+)+$/';
      expect(await agent.fail('process', { action: 'log', id, search })).toMatchObject({ code: 'bad-input' });
    },
  );

  test('what it asks is answered by the model, or by the person', async () => {
    const script =
      'printf "colour? "; read c; echo "it is $c"; printf "really? "; read r; printf "Password: "; read p';
    const { id } = await agent.ask('start', { command: ['sh', '-c', script], stdin: true, waitS: 0 });
    const answered = await agent.ask('process', { action: 'wait', id, ask: true });
    expect(answered).toMatchObject({ delivered: true });
    // On a busy machine the rest of it comes later.
    let output = answered.output;
    const more = async () => {
      if (!output.includes('really?')) output += (await agent.ask('process', { action: 'poll', id })).output;
      return output;
    };
    expect(await askUntil(more, (text) => text.includes('really?'))).toContain('it is blue');
    expect(answers.splice(0)).toEqual(['sh asks: colour?']);
    expect(await agent.ask('process', { action: 'submit', id, ask: true })).toMatchObject({
      status: 'declined',
    });
    expect(answers.splice(0)).toEqual(['sh asks: really?']);
    const next = await agent.ask('process', { action: 'submit', id, data: 'yes', timeoutS: 60 });
    expect(next.output).toContain('Password:');
    expect(['needs-input', 'quiet']).toContain(next.status);
    expect(await agent.fail('process', { action: 'wait', id, ask: true })).toMatchObject({
      code: 'unsupported',
      hint: expect.stringContaining('unstuck attach'),
    });
    expect(answers).toEqual([]);
    expect(await agent.ask('process', { action: 'close', id })).toMatchObject({ closed: true });
    expect(await agent.ask('process', { action: 'wait', id })).toMatchObject({ status: 'exited' });
  });

  test('a wait reports progress, and the run goes on when the wait is cancelled or times out', async () => {
    const { id, pid } = await agent.ask('start', { command: ['sleep', '1000'], waitS: 0 });
    const stop = new AbortController();
    const told: string[] = [];
    const waiting = agent.call(
      'process',
      { action: 'wait', id },
      {
        signal: stop.signal,
        onprogress: ({ total, message }) => {
          expect(total).toBe(50);
          told.push(message ?? '');
        },
      },
    );
    const given = expect(waiting).rejects.toThrow();
    await until(() => told.length > 0, 'progress is told');
    stop.abort();
    await given;
    expect(told[0]).toContain('healthy');
    process.kill(pid, 0);
    const late = await agent.call('process', { action: 'wait', id, timeoutS: 0.1 });
    expect(late.structuredContent).toMatchObject({ status: 'timeout' });
    expect(late.content[0].text).toContain('next: still running, not an error: wait again');
    const why = await askUntil(
      () => agent.ask('why', { id }),
      ({ verdict }) => verdict.kind === 'timer',
    );
    expect(why.verdict).toMatchObject({ kind: 'timer', pid });
    expect(await agent.ask('process', { action: 'kill', id })).toMatchObject({
      status: 'killed',
      stopped: 1,
    });
  });

  test('notices ride along until they are acknowledged, and are new only once', async () => {
    const start = {
      command: ['sh', '-c', 'sleep 0.1; echo listening on 80; sleep 1000'],
      watch: ['listening'],
    };
    const { id } = await agent.ask('start', { ...start, waitS: 0 });
    const seen: { seq: number; runId: string }[] = [];
    await until(async () => {
      const { notices = [] } = await agent.ask('process', { action: 'list' });
      seen.push(...notices);
      return seen.some(({ runId }) => runId === id);
    }, 'the notice comes along');
    const seq = seen.find(({ runId }) => runId === id)?.seq ?? 0;
    for (const endMs = performance.now() + 50; performance.now() < endMs; ) {
      const again = await agent.ask('process', { action: 'list' });
      expect(again.notices).toBeUndefined();
      expect(again.unacknowledged).toMatchObject({ last: seq });
    }
    const { given } = await agent.ask('notices');
    expect(given.find((one: { seq: number }) => one.seq === seq)).toMatchObject({ repeat: true, runId: id });
    const acknowledged = await agent.ask('notices', { ack: seq });
    expect(acknowledged).toMatchObject({ given: [] });
    expect(acknowledged.unacknowledged).toBeUndefined();
    await agent.ask('process', { action: 'kill', id });
  });

  test('the list of runs and each log are resources', async () => {
    const { id } = await agent.ask('start', { command: ['echo', 'hello'], label: 'greeter', waitS: 50 });
    const { resources } = await agent.client.listResources();
    const uri = `unstuck://runs/${id}/log`;
    expect(resources.map((one) => one.uri)).toEqual(expect.arrayContaining(['unstuck://runs', uri]));
    expect((await agent.client.readResource({ uri })).contents).toMatchObject([{ uri, text: 'hello' }]);
    const { contents } = await agent.client.readResource({ uri: 'unstuck://runs' });
    expect(contents).toMatchObject([{ text: expect.stringContaining('"label":"greeter"') }]);
    await expect(agent.client.readResource({ uri: 'unstuck://runs/run_000000000000/log' })).rejects.toThrow(
      'there is no run',
    );
  });
});

test('what a run has left behind is listed, with its run, and stopped when asked', async () => {
  const agent = await Agent.connect(home, { name: 'cleaner' });
  try {
    const left = path.join(home.path, 'left');
    const command = ['sh', '-c', `setsid sleep 1000 & echo $! >${left}`];
    const { id } = await agent.ask('start', { command, waitS: 50 });
    const pid = Number(fs.readFileSync(left, 'utf8'));
    const found = async () => (await agent.ask('orphans', {})).orphans as { pid: number; command: string }[];
    const isListed = async () =>
      (await found()).some((one) => one.pid === pid && one.command === 'sleep 1000');
    await until(isListed, 'it is listed');
    expect((await found()).find((one) => one.pid === pid)).toMatchObject({
      command: 'sleep 1000',
      classification: 'confirmed',
      runId: id,
    });
    const { orphans } = await agent.ask('orphans', { kill: true });
    expect(orphans).toContainEqual(expect.objectContaining({ pid, result: 'killed' }));
    expect(await found()).not.toContainEqual(expect.objectContaining({ pid }));
    expect(fs.readFileSync(path.join(home.path, 'orphans.log'), 'utf8')).toContain(`KILLED pid=${pid} `);
  } finally {
    await agent.close();
  }
});
