import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BackgroundHome } from '../support/background-home.js';
import { Agent, type Answered } from './agent.js';

let home: BackgroundHome;
let agent: Agent;

beforeAll(async () => {
  home = new BackgroundHome();
  agent = await Agent.connect(home, { name: 'juggler' });
});

afterAll(async () => {
  await agent.close();
  await home.end();
});

const wait = (input: object) => agent.ask('process', { action: 'wait', ...input });

/** Ends with this code when its file is there. */
async function startGated(label: string, code: number): Promise<{ id: string; open(): void }> {
  const file = path.join(home.path, label);
  const script = `while [ ! -e ${file} ]; do sleep 0.05; done; echo ${label} done; exit ${code}`;
  const { id } = await agent.ask('start', { command: ['sh', '-c', script], label, waitS: 0 });
  return { id, open: () => fs.writeFileSync(file, '') };
}

describe.concurrent('several runs', () => {
  test('a wait ends with the first of them, or with all', async () => {
    const one = await startGated('first', 0);
    const two = await startGated('second', 3);
    const ids = [one.id, two.id];
    one.open();
    const any = await wait({ ids, mode: 'any' });
    expect(any).toMatchObject({
      status: 'done',
      results: [
        { id: one.id, label: 'first', status: 'exited', exit: { code: 0 }, output: 'first done\n' },
        { id: two.id, status: 'running' },
      ],
      next: `1 goes on running: process ${JSON.stringify({ action: 'wait', ids: [two.id] })}`,
    });
    expect(any.message).toMatch(/ has ended: exit 0\.\nrun_\w+ is running, /);
    expect(await wait({ ids: JSON.stringify(ids), timeout_ms: 50 })).toMatchObject({ status: 'timeout' });
    two.open();
    const { content, structuredContent: all } = await agent.call('process', { action: 'wait', id: ids });
    expect(all).toMatchObject({ status: 'done', results: [{ exit: { code: 0 } }, { exit: { code: 3 } }] });
    expect(all.next).toBe(`process ${JSON.stringify({ action: 'log', id: two.id, errors: true })}`);
    expect(content[0].text).toMatch(
      new RegExp(`\\n<output-(\\w{8}) ${two.id}>\\nsecond done\\n</output-\\1>`),
    );
  });

  test('a question of one of them is answered first', async () => {
    const script = 'printf "sure? "; read x';
    const { id } = await agent.ask('start', { command: ['sh', '-c', script], stdin: true, waitS: 0 });
    const other = await startGated('patient', 0);
    const woken = await wait({ ids: [other.id, id], mode: 'any' });
    expect(woken.results.map(({ status }: Answered) => status)).toEqual(['running', 'needs-input']);
    expect(woken.next).toContain(JSON.stringify({ action: 'submit', id, data: 'ANSWER' }));
    other.open();
  });

  test('a label is as good as an id, and a note says which of several runs was taken', async () => {
    const old = await startGated('twin', 0);
    const young = await startGated('twin', 0);
    const polled = await agent.ask('process', { action: 'poll', id: 'twin' });
    expect(polled.id).toBe(young.id);
    expect(polled.message).toContain(
      `\nnote: another run has the label twin too; this is the newest live one`,
    );
    expect((await agent.ask('why', { id: 'twin' })).message).toContain('\nnote: another run');
    expect(await agent.ask('process', { action: 'kill', id: 'twin' })).toMatchObject({
      id: young.id,
      status: 'killed',
    });
    expect(await agent.ask('process', { action: 'poll', id: old.id })).toMatchObject({ status: 'running' });
    expect(await agent.fail('process', { action: 'wait', ids: ['twin', 'nothing'] })).toMatchObject({
      code: 'no-such-run',
    });
    old.open();
  });
});
