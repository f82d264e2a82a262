import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, type TestContext, vi } from 'vitest';
import { isAbsent } from '../../../src/model/facts/absence.js';
import { ProcDir } from '../../../src/probe/linux/proc/proc-dir.js';
import { dumpStacks } from '../../../src/probe/stacks/dump-stacks.js';
import { attachJava, canAttachJava } from '../../../src/probe/stacks/java/attach.js';
import { readTarget, type StackTarget } from '../../../src/probe/stacks/target.js';
import { ended, isRoot, startProgram, startSleeper, untilState } from '../../probe/start-program.js';
import { askUntil } from '../../support/ask-until.js';
import { compile } from '../../support/compile.js';
import { fixturePath } from '../../support/find-tool.js';
import { patienceMs } from '../../support/patience.js';
import { removeDirectory } from '../../support/remove-directory.js';
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
  await removeDirectory(dir);
});

const out = () => join(dir, 'out');
const read = (name: string) => fs.readFileSync(join(out(), name), 'utf8');
const isWhole = (name: string) =>
  fs.existsSync(join(out(), name)) && !read(name).includes('the rest is missing');
/** On a busy machine a tool may not even begin in its five seconds. */
const dumpUntil = (pid: number, isThere: (text: string) => boolean) =>
  askUntil(
    () => dump(pid, plenty),
    () => fs.existsSync(join(out(), `${pid}-gdb.txt`)) && isThere(read(`${pid}-gdb.txt`)),
  );
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
    // It has five seconds, which may not be enough on a busy machine.
    const dumps = await askUntil(
      () => dump(pid, plenty),
      () => isWhole(`${pid}-gdb.txt`),
    );
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
    const [found] = await askUntil(
      () => dump(pid, plenty),
      ([one]) => one?.tool === 'py-spy' && isWhole(`${pid}-py-spy.txt`),
    );
    expect(found?.tool).toBe('py-spy');
    expect(read(`${pid}-py-spy.txt`)).toContain('stuck_here');
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
    const [found] = await dumpUntil(pid, (text) => /^#0 /m.test(text));
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
    expect(await dumpUntil(pid, (text) => text.includes('too long'))).toHaveLength(1);
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
    expect(await dumpUntil(pid, (text) => text === '#0  main ()\n')).toHaveLength(1);
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
    await dumpUntil(pid, (text) => text.endsWith('\n/\n'));
    const text = read(`${pid}-gdb.txt`);
    expect(text).not.toMatch(/hunter2|run_0123456789ab/);
    expect(text).toMatch(/\n\/dev\/null\n\/\n$/);
  });
});

describe('stacks of Java, from the virtual machine itself', () => {
  /** A program with two threads that are deadlocked, once both are. */
  async function startDeadlock(context: TestContext, options: string[] = []) {
    const java = needTool(context, 'java');
    needCase(context, 'java-deadlock');
    const classes = await compile('java-waits');
    const { pid, child } = await startProgram([java, ...options, '-cp', classes, 'Main', 'deadlock']);
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    return { pid, output: () => printed };
  }
  /** Until it handles SIGQUIT. */
  const untilReady = (pid: number): Promise<StackTarget> =>
    vi.waitFor(
      () => {
        const proc = ProcDir.open(pid);
        const target = isAbsent(proc) ? null : readTarget(proc);
        if (!isAbsent(proc)) proc.close();
        if (target === null || !canAttachJava(target)) throw new Error('it is not ready');
        return target;
      },
      { timeout: patienceMs },
    );
  const requests = (pid: number) =>
    [`/tmp/.attach_pid${pid}`, `/proc/${pid}/cwd/.attach_pid${pid}`].filter((file) => fs.existsSync(file));

  it('are those of jstack, without a JDK; the program prints nothing, and nothing is left', async (context) => {
    vi.stubEnv('PATH', '/nonexistent');
    const { pid, output } = await startDeadlock(context);
    await vi.waitFor(
      async () => {
        await dump(pid, plenty);
        expect(read(`${pid}-jstack.txt`)).toContain('Found one Java-level deadlock');
      },
      { timeout: patienceMs },
    );
    expect(output()).toBe('');
    expect(requests(pid)).toEqual([]);
  });

  it('are not read where the program forbids it, and it prints nothing', async (context) => {
    const { pid, output } = await startDeadlock(context, ['-XX:+DisableAttachMechanism']);
    await untilReady(pid);
    vi.stubEnv('PATH', '/nonexistent');
    expect(await dump(pid, little)).toEqual([]);
    expect(requests(pid)).toEqual([]);
    expect(output()).toBe('');
  });

  it('of a program that cannot answer in time its request is withdrawn once it has been seen', async (context) => {
    vi.stubEnv('PATH', '/nonexistent');
    const { pid, output } = await startDeadlock(context);
    const target = await untilReady(pid);
    const proc = ProcDir.open(pid);
    if (isAbsent(proc)) throw new Error('it has ended');
    const identity = identityOf(pid);
    process.kill(pid, 'SIGSTOP');
    const limits = { limitMs: 100, bytesMax: 1000, signal: undefined };
    expect(await attachJava({ identity, dir: proc, target }, limits)).toBeNull();
    expect(requests(pid)).toHaveLength(1);
    process.kill(pid, 'SIGCONT');
    await vi.waitFor(() => expect(requests(pid)).toEqual([]), { timeout: patienceMs });
    proc.close();
    expect(output()).toBe('');
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
    expect(await dumpUntil(pid, () => true)).toHaveLength(1);
  });
});
