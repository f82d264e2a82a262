import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GivenNotice } from '../../../../src/control/follow-notices.js';
import { until } from '../../../support/background-home.js';
import { cliPath } from '../../../support/run-cli.js';
import { type BackgroundHome, type Session, useBackgroundHome } from '../background-home.js';

const background = useBackgroundHome();

const noticesOf = ({ stdout }: Session): GivenNotice[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Until there are so many notices that are not acknowledged. */
async function untilTold(home: BackgroundHome, count: number): Promise<void> {
  const told = async () => (await home.json(['notices', '--consumer', 'test'])).notices.length >= count;
  await until(told, `${count} notices`);
}

describe('unstuck notices', () => {
  it('the end of a run, with its label, exit code and output, until it is acknowledged', async () => {
    const { home } = background;
    const about = ['--label', 'test', '--task', 'pr-42', '--owner', 'me', '--tag', 'a', '--tag', 'b'];
    const id = await home.start('--notify', ...about, '--', 'sh', '-c', 'echo done; exit 3');
    await untilTold(home, 1);
    const { notices } = await home.json(['notices']);
    expect(notices).toEqual([
      expect.objectContaining({
        kind: 'exit',
        runId: id,
        label: 'test',
        task: 'pr-42',
        owner: 'me',
        tags: ['a', 'b'],
        exit: expect.objectContaining({ code: 3 }),
        output: expect.stringContaining('done'),
        repeat: false,
      }),
    ]);
    const again = await home.run(['notices']);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(
      /^[\d:]+ {2}#1 {2}exit {11}test \([0-9a-f]{4,12}\): .+ \[again\]\n {4}done\n$/,
    );
    expect(again.stderr).toBe('to acknowledge them: unstuck notices --ack-to 1\n');
    expect((await home.run(['notices', '--ack'])).stdout).toContain('[again]');
    const none = await home.run(['notices']);
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('no notices;') });
  });

  it('--ack-to, and each consumer for itself', async () => {
    const { home } = background;
    await home.start('--notify', '--', 'true');
    await untilTold(home, 1);
    expect((await home.run(['notices', '--ack-to', '1'])).stderr).toBe('acknowledged up to #1\n');
    expect((await home.json(['notices'])).notices).toEqual([]);
    expect((await home.json(['notices', '--consumer', 'other'])).notices).toHaveLength(1);
  });

  it('a reader that is gone before it was printed: not acknowledged', async () => {
    const { home } = background;
    await home.start('--notify', '--', 'true');
    await untilTold(home, 1);
    const env = { ...process.env, UNSTUCK_HOME: home.path };
    for (const more of [[], ['--json'], ['--follow']]) {
      const child = spawn(process.execPath, [cliPath, 'notices', '--ack', ...more], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child.stdout.destroy();
      expect(await once(child, 'close')).toEqual([0, null]);
    }
    expect((await home.json(['notices'])).notices).toHaveLength(1);
  });
});

describe('patterns', () => {
  it('a notice of a match has the matching line and no other line', async () => {
    const { home } = background;
    const id = await home.start(
      '--watch',
      '/err(or)?/i',
      '--',
      'sh',
      '-c',
      'echo fine; echo ERR 7; sleep 1000',
    );
    const follow = home.open(['notices', '--follow', '--ack', '--json']);
    await follow.until('\n');
    const [notice] = noticesOf(follow);
    expect(notice).toMatchObject({ kind: 'match', runId: id, pattern: '/err(or)?/i' });
    expect(notice?.output).toContain('ERR 7');
    expect(notice?.output).not.toContain('fine');
  });

  it('together with its end: dropped, with a warning on stderr', async () => {
    const { home } = background;
    const start = await home.run(['start', '--notify', '--watch', 'x', '--', 'true']);
    expect(start.stdout).toMatch(/^run_[0-9a-f]{12}\n$/);
    expect(start.stderr).toMatch(/^warning: --watch cannot be combined with --notify/);
  });
});

describe('unstuck notices --follow', () => {
  it('goes on when the daemon is killed; nothing twice; Ctrl-C is no failure', async () => {
    const { home } = background;
    const follow = home.open(['notices', '-f', '--ack', '--json']);
    await home.start('--notify', '--label', 'one', '--', 'true');
    await follow.until('"one"');
    process.kill(await home.daemonPid(), 'SIGKILL');
    await home.start('--notify', '--label', 'two', '--', 'true');
    await follow.until('"two"');
    await until(async () => (await home.json(['notices'])).notices.length === 0, 'all acknowledged');
    follow.child.kill('SIGINT');
    expect(await follow.done).toBe(0);
    expect(noticesOf(follow).map(({ label }) => label)).toEqual(['one', 'two']);
  });

  it('without --ack what comes is shown once, and kept', async () => {
    const { home } = background;
    const follow = home.openOnTerminal(['notices', '--follow', '--bell']);
    for (const label of ['one', 'two']) {
      await home.start('--notify', '--label', label, '--', 'true');
      await follow.until(`${label} (`);
    }
    await follow.until(() => follow.stdout.split('\x07').length > 2);
    follow.child.kill('SIGINT');
    expect(await follow.done).toBe(0);
    expect(follow.stdout.split('\x07')).toHaveLength(3);
    expect((await home.json(['notices'])).notices).toHaveLength(2);
  });

  it('--on-notice gets each notice as JSON', async () => {
    const { home } = background;
    const file = path.join(home.path, 'told');
    const id = await home.start(
      '--on-notice',
      `cat > '${file}.part' && mv '${file}.part' '${file}'`,
      '--',
      'true',
    );
    await until(() => existsSync(file), 'the command was called');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ seq: 1, kind: 'exit', runId: id });
  });
});
