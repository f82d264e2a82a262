import { chownSync, mkdtempSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure, type RunEvent, run } from '../../src/index.js';
import { removeDirectory } from '../support/remove-directory.js';

let home = '';

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await removeDirectory(home);
});

const env = () => ({ ...process.env, UNSTUCK_HOME: home, GITHUB_STEP_SUMMARY: '' });

describe('run() in the library', () => {
  it('resolves with the report; output and events come as they happen', async () => {
    const chunks: string[] = [];
    const events: RunEvent[] = [];
    const report = await run(['sh', '-c', 'echo out; echo err >&2; exit 3'], {
      env: env(),
      logDir: home,
      onOutput: (stream, chunk) => void chunks.push(`${stream}: ${chunk.toString()}`),
      onEvent: (event) => events.push(event),
    });
    expect(report).toMatchObject({
      outcome: 'exited',
      exit: { code: 3, signal: null, provenance: 'recorded' },
      exitCode: 3,
      lastLines: expect.arrayContaining(['out', 'err']),
    });
    expect(chunks.sort()).toEqual(['stderr: err\n', 'stdout: out\n']);
    expect(events.map(({ kind }) => kind)).toEqual(['started', 'exited']);
  });

  it('takes the options of the command line', async () => {
    const report = await run(['sleep', '300'], {
      env: env(),
      logDir: home,
      timeout: '300ms',
      grace: '300ms',
    });
    expect(report).toMatchObject({ outcome: 'timeout', exitCode: 124, receipt: { survivors: [] } });
  });

  it('a throwing listener changes nothing for the run, and is reported once', async () => {
    const told: Error[] = [];
    const tell = (warning: Error) => void told.push(warning);
    process.on('warning', tell);
    try {
      for (const fail of [() => Promise.reject(new Error('mine')), () => JSON.parse('{')]) {
        const report = await run(['sleep', '300'], {
          env: env(),
          logDir: home,
          timeout: '300ms',
          grace: '300ms',
          onEvent: fail,
        });
        expect(report).toMatchObject({ outcome: 'timeout', receipt: { survivors: [] } });
        expect(report.warnings).toEqual([expect.stringContaining("'started'; the run goes on: ")]);
      }
      await new Promise(setImmediate);
      expect(told.map(({ name }) => name)).toEqual(['UnstuckWarning', 'UnstuckWarning']);
      expect(told[0]?.message).toContain('mine');
    } finally {
      process.off('warning', tell);
    }
  });

  it('bad options and commands reject with a Failure that has a hint', async () => {
    const bad = run(['true'], { env: env(), logDir: home, timeout: 'soon' });
    await expect(bad).rejects.toThrow(Failure);
    await expect(bad).rejects.toMatchObject({ message: expect.stringContaining('soon') });
    await expect(run(['no-such-command'], { env: env(), logDir: home })).rejects.toMatchObject({
      code: 'command-not-found',
    });
    const words = [undefined, null, 'echo hi', ['echo', 1], {}] as unknown as string[][];
    for (const bad of words) {
      await expect(run(bad, { env: env(), logDir: home })).rejects.toMatchObject({
        code: 'bad-input',
        hint: expect.stringContaining("['npm', 'test']"),
      });
    }
    await expect(run([], { env: env(), logDir: home })).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('a state home of another user is not used; the command runs all the same, without a log', async () => {
    const isRoot = process.getuid?.() === 0;
    // A directory of another user, in which we may write.
    const foreign = isRoot ? home : '/tmp';
    if (isRoot) chownSync(home, 65_534, 65_534);
    vi.stubEnv('UNSTUCK_HOME', foreign);
    const before = readdirSync(foreign);
    const report = await run(['sh', '-c', 'echo hi; exit 3'], {
      env: env(),
      keepLog: 'always',
      onOutput: () => {},
    });
    expect(report).toMatchObject({ exitCode: 3, lastLines: ['hi'] });
    expect(report.warnings).toEqual([expect.stringMatching(/not kept: .* belongs to another user/)]);
    expect(readdirSync(foreign).filter((name) => name === 'runs')).toEqual(
      before.filter((name) => name === 'runs'),
    );
  });

  it('an AbortSignal stops the tree', async () => {
    const abort = new AbortController();
    const running = run(['sh', '-c', 'trap "" TERM; echo ready; while :; do sleep 0.05; done'], {
      env: env(),
      logDir: home,
      grace: '300ms',
      signal: abort.signal,
      onOutput: () => abort.abort(),
    });
    expect(await running).toMatchObject({
      outcome: 'interrupted',
      exit: { code: 137, signal: 'SIGKILL' },
      receipt: { survivors: [] },
    });
  });

  it('a question is an event when the caller can answer', async () => {
    const pipe = (await import('../../src/run/launch/open-pipe.js')).openPipe();
    const { writeSync, closeSync } = await import('node:fs');
    const kinds: string[] = [];
    const report = await run(['sh', '-c', 'read name; echo "hello $name"'], {
      env: env(),
      logDir: home,
      input: pipe.read,
      canAnswer: true,
      sample: '200ms',
      onEvent(event) {
        kinds.push(event.kind);
        if (event.kind === 'needs-input') writeSync(pipe.write, 'Ada\n');
      },
    });
    closeSync(pipe.read);
    closeSync(pipe.write);
    expect(report.exitCode).toBe(0);
    expect(report.lastLines).toEqual(['hello Ada']);
    expect(kinds).toEqual(['started', 'needs-input', 'exited']);
  });
});
