import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inputKinds } from '../../../src/model/run/background.js';
import { launchBackground } from '../../../src/run/launch/launch-background.js';
import { known } from '../../support/known.js';
import { readTree } from '../../support/read-tree.js';
import { useProgram } from '../input/programs.js';
import { makeRun, readRun, startBackground, until } from '../input/start-background.js';
import { testEnvironment } from '../stop/start-run.js';

const launcher = useProgram(new URL('../input/launch.program.ts', import.meta.url));

const log = { file: 'output.log', stream: 'both', start: 0 } as const;

describe('a command in the background', () => {
  for (const input of inputKinds) {
    it(`of two shims in the same directory one runs the command (${input})`, async () => {
      for (let round = 0; round < 17; round += 1) {
        const run = makeRun();
        const command = ['sh', '-c', 'echo ran; exit 3'];
        const spec = {
          id: run.id,
          command,
          cwd: '/',
          env: testEnvironment(run.mark),
          directory: run.directory,
          log,
        };
        const runs = [0, 1].map(() => readRun({ ...run, input, ...launchBackground({ ...spec, input }) }));
        await until(() => runs.every((one) => one.alive().length === 0), 'the end of both');
        expect(runs[0]?.output()).toMatch(/^ran\r?\n$/);
        expect(runs[0]?.exit()).toBe(3);
        const claim = Number.parseInt(known(run.directory.readShim()), 10);
        expect(runs.map(({ shim }) => shim)).toContain(claim);
        run.directory.remove();
      }
    });

    it(`the launcher is killed at any moment: it runs to its end or not at all (${input})`, async () => {
      let ran = 0;
      for (let round = 0; round < 8; round += 1) {
        const { directory, mark, id } = makeRun();
        const env = JSON.stringify(testEnvironment(mark));
        const script = 'echo one; sleep 0.1; echo two; exit 9';
        const child = launcher.start(directory.path, input, env, 'sh', '-c', script);
        const closed = once(child, 'close');
        // At first right after the spawn, then at moments around it.
        if (round < 4) await once(child.stdout ?? child, 'data');
        else await delay(40 + Math.random() * 60);
        child.kill('SIGKILL');
        await closed;
        if (round >= 4 && !(await isClaimed(directory, mark))) continue;
        ran += 1;
        const shim = await claimOf(directory);
        const run = readRun({ directory, mark, id, shim, input });
        await until(() => run.exit() === 9 && run.alive().length === 0, 'its end');
        expect(run.output().replaceAll('\r', '')).toBe('one\ntwo\n');
      }
      expect(ran).toBeGreaterThanOrEqual(4);
    });

    it(`the command has its own environment, signals, umask and descriptors, nothing of the shim (${input})`, async () => {
      const script = `env | sort; umask; grep -E 'Sig(Ign|Blk|Cgt)' /proc/self/status; ls /proc/self/fd | tr '\\n' ' '`;
      // Those of a child of ours, with whatever we have got ourselves.
      const inherited = spawnSync('sh', ['-c', "ls /proc/self/fd | tr '\\n' ' '"]).stdout.toString();
      for (const odd of [{}, { 'INPUT_NODE-VERSION': '20' }] as Record<string, string>[]) {
        const run = startBackground(['env', '-u', 'LC_ALL', 'bash', '-c', script], {
          input,
          env: { A: 'b c', ...odd },
        });
        await until(() => run.exit() === 0 && run.alive().length === 0, 'its end');
        const lines = run.output().replaceAll('\r', '').split('\n');
        const names = lines
          .filter((line) => line.includes('='))
          .map((line) => line.slice(0, line.indexOf('=')));
        expect(names.filter((name) => /us_|SHIM/.test(name))).toEqual([]);
        expect(lines).toEqual(
          expect.arrayContaining([
            'A=b c',
            `UNSTUCK_RUN_ID=${run.id}`,
            ...Object.keys(odd).map((name) => `${name}=20`),
          ]),
        );
        const umask = process.umask().toString(8).padStart(4, '0');
        expect(lines).toContain(umask);
        expect(lines.find((line) => line.startsWith('SigIgn'))).toMatch(/0{16}$/);
        expect(lines.at(-1)).toBe(inherited);
      }
    });
  }

  it('signals to its group do not end the shim: input and exit code still arrive', async () => {
    const run = startBackground(['sh', '-c', 'echo ready; read -r line; echo "$line"; exit 4']);
    // Until then it is a shell of the shim's.
    await until(() => run.output() === 'ready\n', 'the command');
    for (const signal of ['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGQUIT'] as const) process.kill(-run.shim, signal);
    run.input.write(Buffer.from('on\n'), 'a');
    await until(() => run.exit() === 4 && run.alive().length === 0, 'its end');
    expect(run.output()).toBe('ready\non\n');
  });

  it('what cannot be started is a Failure, and there is no process', () => {
    const { directory, mark, id } = makeRun();
    const spec = { id, cwd: '/', env: testEnvironment(mark), directory, log, input: 'pipe' } as const;
    const start =
      (command: string[], cwd = '/') =>
      () =>
        launchBackground({ ...spec, command, cwd });
    expect(start(['no-such-program'])).toThrow(expect.objectContaining({ code: 'command-not-found' }));
    expect(start(['/etc/passwd'])).toThrow(expect.objectContaining({ code: 'cannot-execute' }));
    expect(start(['true'], '/no/such/place')).toThrow(expect.objectContaining({ code: 'bad-input' }));
    expect(start(['echo', 'x'.repeat(200_000)])).toThrow(expect.objectContaining({ code: 'cannot-start' }));
    expect(known(directory.readShim())).toBe('');
  });

  it('distinguishes an end by a signal from an exit code', async () => {
    const killed = startBackground(['sh', '-c', 'kill -9 $$']);
    const exited = startBackground(['sh', '-c', 'exit 137']);
    await until(() => killed.exit() !== null && exited.exit() !== null, 'both ends');
    expect(known(killed.directory.readExit())).toMatchObject({ code: 137, signal: 'SIGKILL' });
    expect(known(exited.directory.readExit())).toMatchObject({ code: 137, signal: null });
  });
});

type Directory = Parameters<typeof launchBackground>[0]['directory'];

/** Whether a shim was started before its launcher was killed; it takes a moment to say so. */
async function isClaimed(directory: Directory, mark: string): Promise<boolean> {
  const isSaid = () => known(directory.readShim()) !== '';
  const isAnyLeft = () => readTree(mark, { pid: -1, startTicks: -1 }).length > 0;
  await until(() => isSaid() || !isAnyLeft(), 'a claim, or no process that could make one');
  return isSaid();
}

async function claimOf(directory: Directory): Promise<number> {
  await until(() => known(directory.readShim()) !== '', 'a claim');
  return Number.parseInt(readFileSync(directory.file('claim'), 'latin1'), 10);
}
