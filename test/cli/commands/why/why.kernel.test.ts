import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WhyAnswer } from '../../../../src/model/verdict.js';
import { loadSnapshot } from '../../../../src/probe/replay/snapshot-file.js';
import { askUntil } from '../../../support/ask-until.js';
import { patienceMs } from '../../../support/patience.js';
import { removeDirectory } from '../../../support/remove-directory.js';
import { cliPath, runCli } from '../../../support/run-cli.js';

const cli = [process.execPath, cliPath] as const;

let target: ChildProcess;
let dir: string;

function start(): Promise<ChildProcess> {
  const child = spawn('sh', ['-c', 'sleep 600; true'], {
    stdio: ['ignore', 'ignore', 'ignore'],
    detached: true,
  });
  return new Promise((resolve, reject) => child.once('spawn', () => resolve(child)).once('error', reject));
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await gone;
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'unstuck-cli-'));
  target = await start();
});

afterAll(async () => {
  await stop(target);
  await removeDirectory(dir);
});

/** The shell needs a moment to start its child: ask until it has. */
async function settled(): Promise<WhyAnswer> {
  const ask = async () =>
    JSON.parse((await runCli(['why', String(target.pid), '--json'])).stdout) as WhyAnswer;
  const answer = await askUntil(ask, ({ verdict }) => verdict.kind === 'timer');
  expect(answer.verdict, 'the program never came to rest').toMatchObject({ kind: 'timer' });
  return answer;
}

describe('unstuck why', () => {
  test('--json has the shape that is promised', async () => {
    const answer = await settled();
    expect(Object.keys(answer)).toEqual(
      expect.arrayContaining(['target', 'verdict', 'chain', 'processes', 'absent', 'tookMs']),
    );
    expect(answer.target.pid).toBe(target.pid);
    expect(Object.keys(answer.verdict)).toEqual(
      expect.arrayContaining(['kind', 'certainty', 'pid', 'command', 'reason', 'evidence']),
    );
    expect(answer.chain.map(({ command }) => command)).toEqual(['sh -c sleep 600; true', 'sleep 600']);
    expect(answer.chain[0]?.waitsFor).toBe('its child');
    expect(answer.verdict.reason).toMatch(/sleep sleeps (9 min|10 min)/);
  });

  test('a person sees the chain, the verdict and the evidence', async () => {
    await settled();
    let stdout = '';
    let code: number | null = null;
    // The clocks of two CPUs of a virtual machine may be a second apart: so long it may look as if it had just run.
    await expect
      .poll(
        async () => {
          ({ stdout, code } = await runCli(['why', String(target.pid)]));
          return stdout;
        },
        { timeout: patienceMs, interval: 500 },
      )
      .toMatch(/^sh \(\d+\) -c sleep 600; true {3}nothing has moved for/);
    expect(code).toBe(0);
    expect(stdout).toMatch(/└─ waits for its child {3}sleep \(\d+\) 600/);
    expect(stdout).toContain('waiting for a timer, high: sleep sleeps');
    expect(stdout).toContain('blocked in clock_nanosleep');
    expect(stdout).not.toMatch(/\u001b/);
  });

  test.each([
    ['a process that does not exist', ['why', '4194304'], 1, /no process 4194304\nhint: .*why run_4194304\n/],
    ['no process at all', ['why'], 125, /no process given/],
    ['a word', ['why', 'npm'], 1, /no run "npm", and not a process id/],
    ['zero', ['why', '0'], 125, /not a process id/],
    ['a negative number', ['why', '--', '-1'], 125, /not a process id/],
    ['a huge number', ['why', '99999999999999999999'], 1, /no process 99999999999999999999/],
    ['a bad duration', ['why', '1', '--gap', 'soon'], 125, /--gap is "soon"/],
    ['a bad probe', ['why', '1', '--probe', 'windows'], 125, /linux, portable/],
    ['a bad option', ['why', '--jsn'], 125, /unknown option '--jsn'/],
    ['a bad command', ['wy'], 125, /unknown command 'wy'/],
    ['pid and file', ['why', '1', '--from', 'x'], 125, /a pid and --from cannot be combined/],
    ['a file that is not there', ['why', '--from', '/nowhere/x.json'], 125, /cannot read/],
  ])('%s is a clear error with a hint', async (_, args, expected, message) => {
    const { code, stdout, stderr } = await runCli(args);
    expect(code).toBe(expected);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/\nhint: /);
    expect(stdout).toBe('');
  });

  test('with --json an error is an object', async () => {
    const { code, stdout } = await runCli(['why', '4194304', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'no-such-process', hint: expect.any(String) },
    });
  });

  test('--save and --from give the same answer, and the file is private', async () => {
    await settled();
    const file = join(dir, 'snapshot.json');
    const live = await runCli(['why', String(target.pid), '--save', file, '--json']);
    expect(live.code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const replayed = await runCli(['why', '--from', file, '--json']);
    expect(JSON.parse(replayed.stdout)).toEqual(JSON.parse(live.stdout));
    const piped = execFileSync('sh', ['-c', 'cat "$1" | "$2" "$3" why --from - --json', 'sh', file, ...cli]);
    expect(JSON.parse(piped.toString())).toEqual(JSON.parse(live.stdout));
  });

  test('what has no end is not read for ever', async () => {
    const endless = loadSnapshot('/dev/zero', 1024 * 1024);
    await expect(endless).rejects.toMatchObject({
      code: 'bad-snapshot',
      message: '/dev/zero has more bytes than a snapshot ever has (1048576)',
    });
  });

  test('output that cannot be written is an error of two lines, exit code 125', () => {
    for (const words of [['why', String(process.pid)], ['config'], ['completion', 'bash'], ['doctor']]) {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(cli[0], [cli[1], ...words], { stdio: ['ignore', full, 'pipe'] });
      closeSync(full);
      expect([words, status, stderr.toString().split('\n').length]).toEqual([words, 125, 3]);
      expect(stderr.toString()).toMatch(/^unstuck: cannot write the output: .*ENOSPC.*\nhint: /);
    }
  });

  test('a cut, empty, foreign, newer or damaged snapshot is refused with a reason and a hint', async () => {
    const good = join(dir, 'good.json');
    await runCli(['why', String(target.pid), '--save', good]);
    const text = readFileSync(good, 'utf8');
    const attempts: [string, string, RegExp][] = [
      ['cut.json', text.slice(0, text.length / 2), /cut\.json/],
      ['empty.json', '', /empty\.json/],
      ['other.json', '{"a":1}', /other\.json/],
      ['future.json', text.replace(/"version":1/, '"version":99'), /newer|99/],
      ['hole.json', text.replace(/"tid":\d+/, '"tid":"x"'), /hole\.json|threads/],
    ];
    for (const [name, content, message] of attempts) {
      const file = join(dir, name);
      writeFileSync(file, content);
      const { code, stderr } = await runCli(['why', '--from', file]);
      expect(`${name} ${code}`).toBe(`${name} 125`);
      expect(stderr).toMatch(message);
      expect(stderr).toMatch(/hint:/);
    }
  });

  test('--save into a missing directory is an error', async () => {
    const { code, stderr } = await runCli(['why', String(target.pid), '--save', join(dir, 'no', 'x.json')]);
    expect(code).toBe(125);
    expect(stderr).toMatch(/cannot write the snapshot/);
  });

  test('--watch shows a change and ends with the process', async () => {
    const child = await start();
    const watching = spawn(
      process.execPath,
      [cliPath, 'why', String(child.pid), '--watch', '--every', '100ms'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    const ended = new Promise<number | null>((resolve) => watching.once('close', resolve));
    watching.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('waiting for a timer')) void stop(child);
    });
    expect(await ended).toBe(0);
    expect(output).toMatch(/waiting for a timer/);
    expect(output).toMatch(/has ended/);
  });

  test('--watch ends at once with Ctrl-C', async () => {
    const watching = spawn(process.execPath, [cliPath, 'why', String(target.pid), '--watch'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    watching.stdout.once('data', () => watching.kill('SIGINT'));
    const code = await new Promise((resolve) => watching.once('exit', resolve));
    expect(code).toBe(0);
  });
});
