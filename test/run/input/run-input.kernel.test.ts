import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { why } from '../../../src/control/why.js';
import { identify } from '../../../src/probe/linux/identity/identify.js';
import { MemberScan } from '../../../src/probe/linux/members/members.js';
import { loadLibc } from '../../../src/probe/linux/native/libc.js';
import { pendingBytesMax } from '../../../src/run/input/run-input.js';
import { patienceMs } from '../../support/patience.js';
import { parentOf } from '../stop/start-run.js';
import { soon, startBackground, until } from './start-background.js';

const pause = 'while :; do sleep 0.05; done';

const readers = {
  'a shell': ['sh', '-c', 'echo "?"; read -r line'],
  cat: ['sh', '-c', 'echo "?"; exec cat'],
  python: ['python3', '-c', 'input("?\\n")'],
};

describe('writing to a run', () => {
  it('what is written arrives, and close is an end of file', async () => {
    const run = startBackground(['sh', '-c', 'cat; echo end; exit 7']);
    const { end } = run.input.write(Buffer.from('one\n'), 'a');
    expect(await run.input.awaitDelivered(end, soon)).toBe(true);
    expect(run.input.pending).toBe(0);
    await until(() => run.output() === 'one\n', 'the first line');
    run.input.write(Buffer.from('two\n'), 'b');
    expect(run.input.close('c')).toEqual({ closed: true });
    expect(run.input.close('c')).toEqual({ closed: true });
    expect(run.input.close('d')).toEqual({ closed: false });
    expect(() => run.input.write(Buffer.from('three\n'), 'e')).toThrow(
      expect.objectContaining({ code: 'input-closed', hint: expect.stringContaining(`poll ${run.id};`) }),
    );
    await until(() => run.exit() === 7, 'its end');
    await until(() => run.output() === 'one\ntwo\nend\n', 'all output');
    await until(() => run.alive().length === 0, 'nobody left');
  });

  it('what a command read before it ended is delivered, each time', async () => {
    const delivered = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const run = startBackground(['sh', '-c', 'read -r line && echo "got $line"']);
        const { end } = run.input.write(Buffer.from('yes\n'), 'a');
        const isDelivered = await run.input.awaitDelivered(end, soon);
        await until(() => run.output() === 'got yes\n', 'its answer');
        return isDelivered;
      }),
    );
    expect(delivered).toEqual(Array(12).fill(true));
  });

  it('the input is a real pipe, which can be opened by name, also after its end', async () => {
    const script = 'read -r line; echo "got $line"; cat /dev/stdin; cat /dev/stdin; stat -Lc %F /dev/stdin';
    const run = startBackground(['sh', '-c', script]);
    run.input.write(Buffer.from('one\ntwo\n'), 'a');
    run.input.close('b');
    await until(() => run.exit() === 0, 'its end');
    await until(() => run.output() === 'got one\ntwo\nfifo\n', 'all output');
  });

  it('NUL bytes, bytes that are no UTF-8, and nothing at all arrive as they are', async () => {
    const run = startBackground(['cat']);
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    run.input.write(bytes, 'a');
    run.input.write(Buffer.alloc(0), 'b');
    run.input.write(Buffer.from([0xff, 0xfe, 0, 10]), 'c');
    run.input.close('d');
    await until(() => run.exit() === 0 && run.alive().length === 0, 'its end');
    expect(run.bytes().equals(Buffer.concat([bytes, Buffer.from([0xff, 0xfe, 0, 10])]))).toBe(true);
  });

  it('a megabyte in a single write', async () => {
    const run = startBackground(['sh', '-c', 'sleep 0.2; exec cat']);
    const bytes = Buffer.alloc(1024 * 1024, 'abcdefghij\n');
    const { end } = run.input.write(bytes, 'a');
    expect(await run.input.awaitDelivered(end, soon)).toBe(true);
    run.input.close('b');
    await until(() => run.exit() === 0 && run.alive().length === 0, 'its end');
    expect(run.bytes().equals(bytes)).toBe(true);
  });

  it('a command that does not read holds up no writer, and gets everything later', async () => {
    const run = startBackground(['sh', '-c', `trap 'exec wc -c' USR1; echo ready; ${pause}`]);
    await until(() => run.output() === 'ready\n', 'a trap');
    const { end } = run.input.write(Buffer.alloc(300_000, 'x'), 'a');
    run.input.close('b');
    const startMs = performance.now();
    expect(await run.input.awaitDelivered(end, { ...soon, timeoutMs: 300 })).toBe(false);
    expect(
      await run.input.awaitDelivered(end, { timeoutMs: patienceMs, signal: AbortSignal.timeout(50) }),
    ).toBe(false);
    expect(performance.now() - startMs).toBeLessThan(patienceMs);
    expect(run.input.pending).toBe(300_000);
    process.kill(await run.leader(), 'SIGUSR1');
    expect(await run.input.awaitDelivered(end, soon)).toBe(true);
    await until(() => run.output() === 'ready\n300000\n', 'all of it');
  });

  it('more than may wait is refused, and nothing of it is kept', async () => {
    const run = startBackground(['sleep', '1000']);
    const half = Buffer.alloc(pendingBytesMax / 2 + 1);
    run.input.write(half, 'a');
    expect(() => run.input.write(half, 'b')).toThrow(expect.objectContaining({ code: 'too-large' }));
    expect(run.input.pending).toBe(half.length);
    expect(() => run.input.write(Buffer.from('x'), '')).toThrow(
      expect.objectContaining({ code: 'bad-input' }),
    );
    expect(() => run.input.resize({ rows: 1, columns: 1 })).toThrow(/no terminal/);
  });

  it('a write to a command that closed its input fails, and does not harm the command', async () => {
    const run = startBackground(['sh', '-c', `exec <&-; trap "exit 5" USR1; echo closed; ${pause}`]);
    await until(() => run.output() === 'closed\n', 'a closed input');
    const { end } = run.input.write(Buffer.from('one\n'), 'a');
    expect(await run.input.awaitDelivered(end, soon)).toBe(false);
    const again = () => run.input.write(Buffer.from('two\n'), 'b');
    await until(() => fails(again) === 'input-closed', 'a refusal');
    expect(run.input.close('c')).toEqual({ closed: false });
    expect(run.exit()).toBe(null);
    process.kill(await run.leader(), 'SIGUSR1');
    await until(() => run.exit() === 5, 'its own end');
    await until(() => run.alive().length === 0, 'nobody left');
  });

  it('the pump ends with the command, also when others hold its input and never read', async () => {
    // Its end meets the copy at any stage, or waiting; bash takes the place of sh for odd variables.
    const runs = Array.from({ length: 16 }, (_, at) =>
      startBackground(
        ['sh', '-c', `exec 3<&0; sleep 30 <&3 >/dev/null 2>&1 & ${at < 8 ? 'read -r line;' : ''} exit 3`],
        { env: at % 2 === 0 ? {} : { 'ODD-NAME': '1' } },
      ),
    );
    for (const run of runs) fails(() => run.input.write(Buffer.alloc(300_000, 'x\n'), 'a'));
    for (const run of runs) {
      await until(() => run.exit() === 3 && run.alive().join() === 'sleep', 'only the one that holds it');
      expect(() => run.input.write(Buffer.from('x'), 'b')).toThrow(/closed/);
    }
  });

  it('without input it reads nothing, and there is no pump', async () => {
    const run = startBackground(['sh', '-c', 'cat; readlink /proc/self/fd/0; sleep 30'], { input: 'none' });
    await until(() => run.output() === '/dev/null\n', 'the name of its input');
    expect(existsSync(run.directory.file('bell'))).toBe(false);
    // The shim, what starts the command and drains it, the cat; the command and its sleep.
    const expected = 'cat sh sh sh sh sleep';
    await until(() => run.alive().sort().join(' ') === expected, expected);
  });

  it('files of the input are the owner’s alone, and what was delivered is off the disk', async () => {
    const run = startBackground(['sh', '-c', 'cat >/dev/null']);
    const { end } = run.input.write(Buffer.from('a secret'), 'a');
    expect(await run.input.awaitDelivered(end, soon)).toBe(true);
    for (const name of ['input', 'input-at', 'input.jsonl', 'bell', 'claim', 'unlogged']) {
      expect([name, statSync(run.directory.file(name)).mode & 0o777]).toEqual([name, 0o600]);
    }
    const kept = readFileSync(run.directory.file('input'), 'latin1');
    expect(kept).toBe(loadLibc() === null ? 'a secret' : '\0'.repeat(8));
    expect(readFileSync(run.directory.file('input.jsonl'), 'utf8')).not.toContain('secret');
  });

  it('the shim may be another shell: bash, for variables that sh would drop', async () => {
    const run = startBackground(['sh', '-c', 'cat; exit 7'], { env: { 'ODD-NAME': '1' } });
    const { end } = run.input.write(Buffer.from('one\n'), 'a');
    expect(await run.input.awaitDelivered(end, soon)).toBe(true);
    run.input.close('b');
    await until(() => run.exit() === 7 && run.alive().length === 0, 'its end');
    expect(run.output()).toBe('one\n');
  });

  for (const input of ['pipe', 'pty'] as const) {
    it(`no process is left when the directory of a run was removed (${input})`, async () => {
      const run = startBackground(['sleep', '1000'], { input });
      const pid = await run.leader();
      await until(() => run.alive().includes('sleep'), 'the command');
      run.directory.remove();
      process.kill(pid, 'SIGKILL');
      await until(() => run.alive().length === 0, 'nobody left');
    });

    it(`no process is left of a run whose shim was killed, once it is dismissed (${input})`, async () => {
      const run = startBackground(['sleep', '1000'], { input });
      const pid = await run.leader();
      await until(() => run.alive().includes('sleep'), 'the command');
      const starter = parentOf(pid) ?? -1;
      // The end of the shim closes the terminal, which may be the end of the command already.
      for (const victim of [starter, run.shim, pid]) fails(() => process.kill(victim, 'SIGKILL'));
      run.input.dismiss();
      await until(() => run.alive().length === 0, 'nobody left');
      expect(run.exit()).toBe(null);
    });

    it(`the pump is no member of the run, whatever it does (${input})`, async () => {
      const run = startBackground(['sleep', '1000'], { input });
      const leader = identify(await run.leader());
      await until(() => run.alive().includes('sleep'), 'the command');
      // Lines: of a line without an end a terminal would drop what it has no room for, and the pump would not wait.
      run.input.write(Buffer.alloc(200_000, 'line\n'), 'a');
      await until(() => run.alive().includes('head'), 'a copy that waits');
      const members = leader && new MemberScan({ runId: run.id, leader, shim: run.shim }).scan();
      expect(members?.map((member) => member.pid)).toEqual([leader?.pid]);
    });
  }

  for (const [name, command] of Object.entries(readers)) {
    it(`${name} that waits for unwritten input needs input`, async () => {
      const run = startBackground(command);
      await until(() => run.output().includes('?'), 'a question');
      const pid = await run.leader();
      // It asks a moment before it reads.
      const answer = await vi.waitFor(
        async () => {
          const seen = await why(pid);
          expect(seen.verdict).toMatchObject({ kind: 'needs-input', certainty: 'certain' });
          return seen;
        },
        { timeout: patienceMs },
      );
      expect(answer.verdict.reason).toMatch(/waits for input on its standard input/);
      expect(answer.chain.map((link) => link.pid)).toEqual([pid]);
    });
  }
});

function fails(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return (error as { code?: string }).code ?? 'other';
  }
}
