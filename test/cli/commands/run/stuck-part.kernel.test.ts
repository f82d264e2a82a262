import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../../src/model/run/run.js';
import { compile, programsDir } from '../../../support/compile.js';
import { isAlive, startRunCli as run } from '../../../support/start-run-cli.js';

const parent = path.join(programsDir, 'ticking-parent.mjs');

/** A run that is not found stuck ends all the same, and leaves nothing behind. */
const watching = ['--json', '--heartbeat', '0', '--grace', '500ms', '--timeout', '150s'];

/** A live parent that runs this as its tool. */
const tool = (command: string, stdin = 'ignore'): string[] => [process.execPath, parent, command, stdin];

type EventOf<K extends RunEvent['kind']> = Extract<RunEvent, { kind: K }>;

function find<K extends RunEvent['kind']>(events: RunEvent[], kind: K): EventOf<K> | undefined {
  return events.find((event): event is EventOf<K> => event.kind === kind);
}

describe.concurrent('a stuck part of a tree that goes on', () => {
  it.each([
    ['a deadlock', async () => `${await compile('mutex-ab-ba')}; echo after`, 'deadlock', '300ms'],
    // It must last for ten seconds.
    ['a stopped process', async () => "sh -c 'kill -STOP $$'; echo after", 'stopped', '2s'],
  ])(
    '%s is found, and stopped with --kill-stuck part, so that its parent goes on',
    async (_, make, kind, sample) => {
      const cli = run([...watching, '--sample', sample, '--kill-stuck', 'part', '--', ...tool(await make())]);
      expect(await cli.done).toBe(0);
      const finding = find(cli.events, 'finding')?.finding;
      expect(finding).toMatchObject({ kind, owner: { name: 'node' } });
      expect(['high', 'certain']).toContain(finding?.certainty);
      const told = cli.events.flatMap((event) => (event.kind === 'health' ? [event.diagnosis] : []));
      const health = told.find(({ findings }) => findings.length > 0);
      expect(health).toMatchObject({ health: 'likely-stuck', confidence: 'high', safeToKill: false });
      expect(health?.findings).toHaveLength(1);
      const stopped = find(cli.events, 'part-stopped');
      expect(stopped?.receipt.survivors).toEqual([]);
      expect(stopped?.receipt.processes.map(({ pid }) => pid)).toContain(finding?.pid);
      const output = cli.events.map((event) => (event.kind === 'output' ? event.text : '')).join('');
      expect(output).toContain('tool ended');
      expect(find(cli.events, 'exited')).toMatchObject({ outcome: 'exited', exitCode: 0 });
    },
  );

  it('is only reported by default', async () => {
    const cli = run([...watching, '--sample', '300ms', '--', ...tool(await compile('mutex-ab-ba'))]);
    const { finding } = await cli.until('a finding', () => find(cli.events, 'finding'));
    expect(isAlive(finding.pid)).toBe(true);
    cli.child.kill('SIGTERM');
    await cli.done;
    expect(find(cli.events, 'part-stopped')).toBeUndefined();
  });

  it('ends the whole run with --kill-stuck tree', async () => {
    const cli = run([
      ...watching,
      '--sample',
      '300ms',
      '--kill-stuck',
      'tree',
      '--',
      ...tool(await compile('mutex-ab-ba')),
    ]);
    expect(await cli.done).toBe(121);
    expect(find(cli.events, 'exited')?.outcome).toBe('stuck');
  });

  it.each([
    ['a tool that sleeps', 'sleep 4; echo slept', 'ignore'],
    ['an idle worker that waits for the next task of its parent', 'timeout 4 cat; echo slept', 'pipe'],
    [
      'a FIFO whose partner comes later',
      'mkfifo $HOME_OF_RUN/f; (sleep 4; echo slept >$HOME_OF_RUN/f) & cat $HOME_OF_RUN/f',
      'ignore',
    ],
  ])('%s is no stuck part', async (_, command, stdin) => {
    const cli = run([
      ...watching,
      '--sample',
      '300ms',
      '--kill-stuck',
      'tree',
      '--kill-on',
      'high',
      '--',
      ...tool(command, stdin),
    ]);
    expect(await cli.done).toBe(0);
    expect(find(cli.events, 'finding')).toBeUndefined();
    expect(cli.stdout).toContain('slept');
  });
});
