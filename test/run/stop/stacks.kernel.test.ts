import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dumpStacks } from '../../../src/probe/stacks/dump-stacks.js';
import { ended, isRoot, startProgram, startSleeper, untilState } from '../../probe/start-program.js';
import { compile } from '../../support/compile.js';
import { fixturePath } from '../../support/find-tool.js';
import { patienceMs } from '../../support/patience.js';
import { type Started, startCase } from '../../support/start-case.js';
import { fakeTool, identityOf, needCase, needTool, processesWith } from './stack-tools.js';

const plenty = { totalMs: 20_000 };
const little = { totalMs: 1500 };

let dir = '';
/** Tells the processes of one test from all others: a number of seconds to sleep. */
let mark = '';
let started: Started | null = null;
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'unstuck-stacks-'));
  vi.stubEnv('PATH', fixturePath);
  mark = `1000.${process.pid}${Math.floor(Math.random() * 1e9)}`;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await started?.stop();
  started = null;
  fs.rmSync(dir, { recursive: true, force: true });
});

const out = () => join(dir, 'out');
const read = (name: string) => fs.readFileSync(join(out(), name), 'utf8');
const nobodyIsLeft = () => vi.waitFor(() => expect(processesWith(mark)).toEqual([]), { timeout: patienceMs });

/** Dumps other than those of the kernel, which only root gets. */
async function dump(pid: number, options: Parameters<typeof dumpStacks>[2]) {
  const dumps = await dumpStacks([identityOf(pid)], out(), options);
  return dumps.filter(({ tool }) => tool !== 'kernel');
}

describe('stacks with real tools', () => {
  it('gdb shows every thread of a C program, and lets it go on', async (context) => {
    needTool(context, 'gdb');
    started = await startCase(needCase(context, 'mutex-ab-ba'));
    const { pid } = started;
    const dumps = await dump(pid, plenty);
    expect(dumps).toMatchObject([{ file: join(out(), `${pid}-gdb.txt`), pid, tool: 'gdb' }]);
    expect(read(`${pid}-gdb.txt`).match(/ in locker \(/g)).toHaveLength(2);
    expect(fs.statSync(join(out(), `${pid}-gdb.txt`)).mode & 0o777).toBe(0o600);
    expect(fs.statSync(out()).mode & 0o777).toBe(0o700);
    await untilState(pid, 'S');
  });

  it('py-spy shows the lines of a Python program', async (context) => {
    needTool(context, 'py-spy');
    const python = needTool(context, 'python3');
    const { pid } = await startProgram(
      [python, '-c', 'import time\ndef stuck_here(): print(1, flush=True); time.sleep(1000)\nstuck_here()'],
      { line: true },
    );
    const [found] = await dump(pid, plenty);
    expect(found?.tool).toBe('py-spy');
    expect(read(`${pid}-py-spy.txt`)).toContain('stuck_here');
  });

  it('jstack shows a Java program, which prints nothing because of it', async (context) => {
    const java = needTool(context, 'java');
    needTool(context, 'jstack');
    needCase(context, 'java-deadlock');
    const { pid, child } = await startProgram([java, '-cp', await compile('java-waits'), 'Main', 'deadlock']);
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    await vi.waitFor(
      async () => {
        await dump(pid, plenty);
        expect(read(`${pid}-jstack.txt`)).toContain('Found one Java-level deadlock');
      },
      { timeout: patienceMs },
    );
    expect(printed).toBe('');
  });

  it.skipIf(!isRoot)('root also gets where it is in the kernel', async () => {
    const { pid } = await startSleeper();
    const dumps = await dumpStacks([identityOf(pid)], out(), plenty);
    expect(dumps[0]).toMatchObject({ tool: 'kernel' });
    expect(read(`${pid}-kernel.txt`)).toMatch(
      new RegExp(`^thread ${pid} "sleep", state S\\n\\[<0>\\] .*nanosleep`),
    );
  });
});

describe('stacks with tools that misbehave', () => {
  it('a tool that hangs is ended with all it started', async (context) => {
    needTool(context, 'sh');
    fakeTool(dir, 'gdb', `trap '' TERM\nsleep ${mark} &\nsleep ${mark}\nsleep ${mark}`);
    const { pid } = await startSleeper();
    expect(await dump(pid, little)).toEqual([]);
    await nobodyIsLeft();
    await untilState(pid, 'S');
  });

  it('a debugger that hangs does not leave the process stopped', async (context) => {
    const gdb = needTool(context, 'gdb');
    fakeTool(dir, 'gdb', `trap '' TERM\n${gdb} "$@" -ex 'shell sleep ${mark}'`);
    const { pid } = await startSleeper();
    const [found] = await dump(pid, plenty);
    expect(found?.tool).toBe('gdb');
    expect(read(`${pid}-gdb.txt`)).toMatch(/^#0 [\s\S]*\[the rest is missing: gdb was ended, too late\]\n$/m);
    await nobodyIsLeft();
    await untilState(pid, 'S');
  });

  it('a process that a killed debugger left stopped goes on, deaf to no signal', async (context) => {
    needTool(context, 'sh');
    fakeTool(dir, 'gdb', `kill -STOP $5\nsleep ${mark}`);
    const { pid } = await startSleeper();
    expect(await dump(pid, little)).toEqual([]);
    await untilState(pid, 'S');
  });

  it('a tool that prints without end is cut at 256 KB', async (context) => {
    needTool(context, 'yes');
    fakeTool(dir, 'gdb', `yes '#0  main () at ${mark}'`);
    const { pid } = await startSleeper();
    expect(await dump(pid, plenty)).toHaveLength(1);
    const text = read(`${pid}-gdb.txt`);
    expect(text).toContain('too long');
    expect(text.length).toBeGreaterThan(256 * 1024);
    expect(text.length).toBeLessThan(257 * 1024);
    await nobodyIsLeft();
  });

  it('what a tool leaves running is ended too', async (context) => {
    needTool(context, 'sh');
    fakeTool(dir, 'gdb', `sleep ${mark} &\necho '#0  main ()'`);
    const { pid } = await startSleeper();
    expect(await dump(pid, plenty)).toHaveLength(1);
    expect(read(`${pid}-gdb.txt`)).toBe('#0  main ()\n');
    await nobodyIsLeft();
  });

  it('an interrupt ends the tool, and nothing is begun after it', async (context) => {
    needTool(context, 'sh');
    fakeTool(dir, 'gdb', `echo begun >>${dir}/begun\nsleep ${mark}`);
    const first = await startSleeper();
    const others = await Promise.all([1, 2, 3, 4, 5].map(startSleeper));
    const abort = new AbortController();
    const all = [first, ...others].map(({ pid }) => identityOf(pid));
    const done = dumpStacks(all, out(), { ...plenty, signal: abort.signal });
    const begun = () => fs.readFileSync(join(dir, 'begun'), 'utf8').trim().split('\n').length;
    await vi.waitFor(() => expect(begun()).toBe(4), { timeout: patienceMs });
    abort.abort();
    expect((await done).filter(({ tool }) => tool !== 'kernel')).toEqual([]);
    expect(begun()).toBe(4);
    await nobodyIsLeft();
  });

  it('a tool gets no environment, no input and no directory of ours', async (context) => {
    needTool(context, 'sh');
    vi.stubEnv('SOME_SECRET', 'hunter2');
    vi.stubEnv('UNSTUCK_RUN_ID', 'run_0123456789ab');
    fakeTool(dir, 'gdb', `echo '#0 '; env; readlink /proc/self/fd/0; pwd`);
    const { pid } = await startSleeper();
    await dump(pid, plenty);
    const text = read(`${pid}-gdb.txt`);
    expect(text).not.toMatch(/hunter2|run_0123456789ab/);
    expect(text).toMatch(/\n\/dev\/null\n\/\n$/);
  });
});

describe('stacks of Java with a tool that hangs', () => {
  it('what jstack leaves behind when it is killed is removed', async (context) => {
    const java = needTool(context, 'java');
    needCase(context, 'java-deadlock');
    fakeTool(dir, 'jstack', `touch /tmp/.attach_pid$2 ${dir}/asked\nsleep ${mark}`);
    const { pid } = await startProgram([java, '-cp', await compile('java-waits'), 'Main', 'deadlock']);
    await vi.waitFor(
      async () => {
        await dump(pid, little);
        expect(fs.existsSync(join(dir, 'asked'))).toBe(true);
      },
      { timeout: patienceMs },
    );
    expect(fs.existsSync(`/tmp/.attach_pid${pid}`)).toBe(false);
    await nobodyIsLeft();
  });
});

describe('stacks of the right process only', () => {
  it('a process that ends meanwhile has no dump', async (context) => {
    needTool(context, 'sh');
    fakeTool(dir, 'gdb', `kill -9 $5\nwhile kill -0 $5 2>/dev/null; do :; done\necho '#0  main ()'`);
    const { pid, child } = await startSleeper();
    expect(await dump(pid, plenty)).toEqual([]);
    await ended(child);
    expect(fs.readdirSync(out()).map((name) => basename(name))).not.toContain(`${pid}-gdb.txt`);
  });

  it('another process with the pid, or of another boot, is not read', async (context) => {
    needTool(context, 'sh');
    fakeTool(dir, 'gdb', `touch ${dir}/asked\necho '#0  main ()'`);
    const { pid } = await startSleeper();
    const identity = identityOf(pid);
    const strangers = [
      { ...identity, startTicks: identity.startTicks - 1 },
      { ...identity, bootId: 'another' },
      { ...identity, bootId: '' },
      { ...identity, pid: 4_194_304 },
    ];
    expect(await dumpStacks(strangers, out(), plenty)).toEqual([]);
    expect(fs.existsSync(join(dir, 'asked'))).toBe(false);
    expect(await dump(pid, plenty)).toHaveLength(1);
  });
});
