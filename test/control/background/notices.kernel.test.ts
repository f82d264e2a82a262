import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { OperationInput } from '../../../src/control/operations/table.js';
import { askUntil } from '../../support/ask-until.js';
import { BackgroundHome, until } from '../../support/background-home.js';
import { compile } from '../../support/compile.js';
import { patienceMs } from '../../support/patience.js';

let home: BackgroundHome;

beforeEach(() => {
  home = new BackgroundHome();
});

afterEach(() => home.end());

type Notify = NonNullable<OperationInput<'start'>['notify']>;

const quick = { sample: '50ms', activityWindow: '200ms' };
const sh = (script: string, notify: Notify, more: Partial<OperationInput<'start'>> = {}) =>
  home.start(['sh', '-c', script], { notify, options: quick, cwd: home.path, ...more });

const told = async (more: OperationInput<'notices'> = {}) =>
  (await home.call('notices', { timeoutS: 60, ...more })).notices;

describe('notify on exit', () => {
  test('exactly one notice, with exit code, end of the output, task, owner and tags, repeated until it is acknowledged', async () => {
    const { id } = await sh(
      'seq 5000; exit 3',
      { events: ['exit'] },
      { task: 'T', owner: 'me', tags: ['x'] },
    );
    const [notice, ...others] = await told();
    expect(others).toEqual([]);
    expect(notice).toMatchObject({
      seq: 1,
      runId: id,
      kind: 'exit',
      exit: { code: 3, signal: null, provenance: 'recorded' },
      task: 'T',
      owner: 'me',
      tags: ['x'],
      repeat: false,
      known: false,
    });
    expect(notice?.output.endsWith('5000\n')).toBe(true);
    expect(notice?.output.length).toBeLessThanOrEqual(2000);
    // Not acknowledged: given again, and marked. The next daemon does not tell it anew.
    await home.killDaemon();
    expect(await told()).toEqual([{ ...notice, repeat: true }]);
    expect((await home.call('notices', { ack: 1 })).notices).toEqual([]);
    expect(await told({ consumer: 'another' })).toHaveLength(1);
  });

  test('the notice of an end that wait has returned is marked as known', async () => {
    const { id } = await sh('exit 0', { events: ['exit'] });
    await home.call('wait', { id, reader: 'bot' });
    expect(await told({ consumer: 'bot' })).toMatchObject([{ kind: 'exit', known: true }]);
    expect(await told({ consumer: 'other' })).toMatchObject([{ kind: 'exit', known: false }]);
  });

  test('the daemon is killed before the end: the next daemon reports the end', async () => {
    const { id } = await sh('until [ -e go ]; do sleep 0.02; done; exit 4', { events: ['exit'] });
    await home.killDaemon();
    fs.writeFileSync(path.join(home.path, 'go'), '');
    await until(
      () => fs.readFileSync(path.join(home.path, 'runs', id, 'exit'), 'utf8').includes('4'),
      'its end',
    );
    expect(await told()).toMatchObject([{ kind: 'exit', runId: id, exit: { code: 4 } }]);
    await home.killDaemon();
    expect(await told({ ack: 1, timeoutS: 0.3 })).toEqual([]);
  });
});

describe('watch patterns', () => {
  test('a text and a regular expression match, and every line that matches is in a notice', async () => {
    const { id } = await sh(
      'echo booting; echo server READY; for i in 1 2 3; do echo ERROR $i; done; sleep 1000',
      {
        patterns: ['READY', '/^ERROR \\d/'],
      },
    );
    const [first] = await told();
    expect(first).toMatchObject({ kind: 'match', runId: id, pattern: 'READY' });
    // All of it came at once, or the rest is held for the window.
    expect(first?.output).toContain('server READY');
    await until(async () => (await home.call('log', { id })).totalLines === 5, 'all is printed');
    await home.call('kill', { id });
    const outputs = async () => (await told()).map(({ output }) => output).join('\n');
    const all = await askUntil(outputs, (text) => text.includes('ERROR 3'));
    for (const line of ['ERROR 1', 'ERROR 2', 'ERROR 3']) expect(all).toContain(line);
  });

  test('kill -9 of the daemon again and again: a matching line is reported once', async () => {
    const { id } = await sh('until [ -e go ]; do sleep 0.02; done; echo needle 1; sleep 1000', {
      patterns: ['needle'],
    });
    for (let n = 0; n < 5; n++) {
      await home.call('list', {});
      await home.killDaemon();
    }
    fs.writeFileSync(path.join(home.path, 'go'), '');
    await home.call('wait', { id, match: 'needle', timeoutS: 60 });
    await home.killDaemon();
    expect(await told()).toMatchObject([{ kind: 'match', output: 'needle 1' }]);
    await home.killDaemon();
    expect(await told({ after: 1, timeoutS: 0.3 })).toEqual([]);
  });

  test('together with a notice of the exit, patterns are dropped with a warning', async () => {
    const { warnings } = await sh('echo x', { events: ['exit'], patterns: ['x'] });
    expect(warnings).toEqual([expect.stringMatching(/--watch.*dropped/)]);
    expect((await told()).map(({ kind }) => kind)).toEqual(['exit']);
  });

  test('a regular expression that would take for ever is switched off and reported; the end of the run is reported, too', async () => {
    const line = `${'a'.repeat(60)}b`;
    const go = path.join(home.path, 'go');
    const { id } = await sh(`echo ${line}; echo READY; until [ -e ${go} ]; do sleep 0.1; done; exit 3`, {
      patterns: ['/^(a+)+$/', 'READY'],
    });
    await expect
      .poll(async () => (await told()).map(({ kind }) => kind).sort(), { timeout: patienceMs })
      .toEqual(['match', 'patterns-off']);
    fs.writeFileSync(go, '');
    expect(await told({ after: 2 })).toMatchObject([{ kind: 'exit', exit: { code: 3 } }]);
    const events = fs.readFileSync(path.join(home.path, 'runs', id, 'events.jsonl'), 'utf8');
    expect(events).toContain('takes too long');
  });

  test.each([
    'example.com',
    'http://user:pass@example.com/T0P',
    'http://127.0.0.1.example.com/',
    'file:///etc/passwd',
  ])('a webhook that is not https, nor on this machine, is refused: %s', async (url) => {
    await expect(sh('true', { events: ['exit'], webhook: { url } })).rejects.toThrow(
      /^(?!.*(pass|T0P)).*webhook/,
    );
    expect((await home.call('list', {})).runs).toEqual([]);
  });

  test('an invalid pattern is refused, and nothing is started', async () => {
    await expect(sh('true', { patterns: ['/(/'] })).rejects.toThrow(/regular expression/);
    expect((await home.call('list', {})).runs).toEqual([]);
  });
});

describe('all runs together', () => {
  test('twenty runs that match at once trip the breaker once; the rest is counted', async () => {
    // Opening it waits for a writer: all go on at the same moment.
    execFileSync('mkfifo', [path.join(home.path, 'go')]);
    const script = ': <go; echo needle; sleep 1000';
    await Promise.all(Array.from({ length: 20 }, () => sh(script, { patterns: ['needle'] })));
    const writer = fs.openSync(path.join(home.path, 'go'), 'r+');
    onTestFinished(() => fs.closeSync(writer));
    const kinds = async () => (await told({ consumer: 'c' })).map(({ kind }) => kind);
    await until(async () => (await kinds()).includes('overflow'), 'the breaker trips');
    const all = await kinds();
    expect(all.filter((kind) => kind === 'match')).toHaveLength(15);
    expect(all.filter((kind) => kind === 'overflow')).toHaveLength(1);
    const counted = () =>
      JSON.parse(fs.readFileSync(path.join(home.path, 'breaker.json'), 'utf8')).tripped.suppressed;
    await until(() => counted() === 5, 'all are counted');
  });
});

describe('what needs attention', () => {
  test('a question and a deadlock are reported once each', async () => {
    const asks = await sh(
      'printf "name? "; read x; sleep 1000',
      { events: ['needs-input'] },
      { input: 'pipe' },
    );
    expect(await told()).toMatchObject([{ kind: 'needs-input', runId: asks.id }]);
    const stuck = await sh(`exec ${await compile('own-pipe-read')}`, { events: ['stuck'] });
    expect(await told({ ack: 1 })).toMatchObject([{ kind: 'stuck', runId: stuck.id }]);
    expect(await told({ ack: 2, timeoutS: 0.5 })).toEqual([]);
  });
});

describe('how it is, every so often', () => {
  test('also when there is nothing new', async () => {
    const { id } = await sh('echo one; sleep 1000', { everyS: 0.4 });
    // It may not have printed anything by the first of them.
    const sinceOutput = async () => {
      const all = await told({ consumer: 'c' });
      return all.slice(all.findIndex(({ output }) => output !== ''));
    };
    const [first, second] = await askUntil(sinceOutput, (all) => all.length >= 2 && all[0]?.output !== '');
    expect(first).toMatchObject({ kind: 'progress', runId: id, output: 'one\n', health: 'healthy' });
    expect(second).toMatchObject({ kind: 'progress', output: '' });
    expect(second?.text).toMatch(/nothing new/);
  });
});

describe('delivery', () => {
  test('a command gets each notice as JSON on its stdin, also when the daemon is killed in between', async () => {
    const got = path.join(home.path, 'got');
    const { id } = await sh('until [ -e go ]; do sleep 0.02; done; exit 6', {
      events: ['exit'],
      command: `cat >>${got}`,
    });
    await home.killDaemon();
    fs.writeFileSync(path.join(home.path, 'go'), '');
    await home.call('wait', { id });
    await until(() => fs.existsSync(got) && fs.readFileSync(got, 'utf8').endsWith('\n'), 'the delivery');
    expect(JSON.parse(fs.readFileSync(got, 'utf8'))).toMatchObject({
      kind: 'exit',
      runId: id,
      exit: { code: 6 },
    });
  });
});
