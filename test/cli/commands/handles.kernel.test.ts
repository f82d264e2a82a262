import { describe, expect, it } from 'vitest';
import { askUntil } from '../../support/ask-until.js';
import { ownHome } from '../../support/background-home.js';
import { runCli } from '../../support/run-cli.js';
import { useBackgroundHome } from './background-home.js';

const background = useBackgroundHome();

describe.concurrent('a label is a handle wherever an id is', () => {
  it('log, poll, wait, why, kill and their other names', async () => {
    const { home } = background;
    const old = await home.start('--label', 'api', '--', 'sh', '-c', 'echo old; exec sleep 1000');
    const id = await home.start('--label', 'api', '--', 'sh', '-c', 'echo new; exec sleep 1000');
    const log = await askUntil(
      () => home.run(['logs', 'api']),
      ({ stdout }) => stdout !== '',
    );
    expect(log).toMatchObject({ code: 0, stdout: 'new\n' });
    expect(log.stderr).toContain(
      `note: another run has the label api too; this is the newest live one, ${id}`,
    );
    expect(await home.json(['poll', 'api'])).toMatchObject({
      id,
      ambiguous: { label: 'api', others: [old] },
    });
    const why = () => home.run(['why', 'api']);
    expect((await askUntil(why, ({ stdout }) => stdout.includes('sleep'))).stdout).toContain('sleep');
    expect(await home.json(['stop', 'api'])).toMatchObject({ id, status: 'killed' });
    expect((await home.run(['wait', 'api', '--timeout', '0s'])).code).toBe(124);
    expect(await home.json(['kill', 'api'])).toMatchObject({ id: old, status: 'killed' });
    expect((await home.json(['ls'])).runs).toHaveLength(2);
    expect((await home.run(['status'])).stdout).toMatch(/LABEL.*api.*api/s);
  });

  it('pause, signal, resume, restart and rerun answer in JSON as published', async () => {
    const { home } = background;
    const id = await home.start(
      '--label',
      'api',
      '--',
      'sh',
      '-c',
      'trap : USR1; echo ready; while :; do sleep 0.1; done',
    );
    // Before, the signal would end it.
    expect((await home.run(['wait', 'api', '--match', 'ready'])).code).toBe(0);
    expect(await home.json(['pause', 'api'])).toMatchObject({ version: 1, id, paused: true, changed: true });
    expect(await home.json(['resume', 'api'])).toMatchObject({ version: 1, id, paused: false });
    expect(await home.json(['signal', 'api', 'USR1'])).toMatchObject({ version: 1, id, signal: 'SIGUSR1' });
    const restarted = await home.json(['restart', 'api']);
    expect(restarted).toMatchObject({ version: 1, label: 'api', pid: expect.any(Number), replaced: { id } });
    const again = await home.json(['rerun', 'api']);
    expect(again).toMatchObject({ version: 1, label: 'api', of: restarted.id });
    expect(new Set([id, restarted.id, again.id]).size).toBe(3);
  });

  it('a run that has ended is removed with its files, a live one only by force', async () => {
    const { home } = background;
    await home.start('--label', 'job', '--', 'sleep', '1000');
    const refused = await home.run(['rm', 'job']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('has not ended') });
    expect(await home.json(['rm', '--force', 'job'])).toMatchObject({
      removed: true,
      killed: { status: 'killed' },
    });
    expect((await home.json(['ls'])).runs).toEqual([]);
    expect((await home.run(['rm', 'job'])).code).toBe(1);
  });

  it('a repeated kill does not stop another run of the same label', async () => {
    const home = ownHome();
    const first = await home.start(['sleep', '1000'], { label: 'api' });
    const second = await home.start(['sleep', '1000'], { label: 'api' });
    const kill = () => home.call('kill', { id: 'api' }, { requestId: 'the-same' });
    expect(await kill()).toMatchObject({ id: second.id, status: 'killed' });
    await home.killDaemon();
    expect(await kill()).toMatchObject({ id: second.id });
    const { runs } = await home.call('list', { status: 'running' });
    expect(runs.map(({ id }) => id)).toEqual([first.id]);
  });

  it('a number that no process can have is no such process', async () => {
    const { home } = background;
    const { code, stderr } = await home.run(['why', '99999999']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('no process 99999999, and no run with that id'),
    });
  });

  it('without a command the help is printed; version is a command too', async () => {
    const [bare, help, version] = await Promise.all([runCli([]), runCli(['--help']), runCli(['version'])]);
    expect(bare).toEqual({ code: 0, stdout: help.stdout, stderr: '' });
    expect(version).toEqual({ code: 0, stdout: (await runCli(['--version'])).stdout, stderr: '' });
  });
});
