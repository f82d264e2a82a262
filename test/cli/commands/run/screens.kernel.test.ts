import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Diagnosis } from '../../../../src/model/run/health.js';
import { programsDir } from '../../../support/compile.js';
import { findTool } from '../../../support/find-tool.js';
import { startRunCli as run } from '../../../support/start-run-cli.js';

const options = [
  ...['--json', '--pty', '--sample', '500ms', '--activity-window', '2s', '--heartbeat', '1s'],
  ...['--grace', '500ms'],
];
const env = { TERM: 'xterm-256color', LANG: 'C.UTF-8' };
const tui = (what: string) => ['node', path.join(programsDir, 'screen/tui.mjs'), what];

type Cli = ReturnType<typeof run>;

/** What was reported of its health, oldest first. */
function reported(cli: Cli): Diagnosis[] {
  return cli.events.flatMap((event) =>
    event.kind === 'health' || event.kind === 'needs-input' ? [event.diagnosis] : [],
  );
}

async function stop(cli: Cli): Promise<void> {
  cli.child.kill('SIGINT');
  await cli.done;
}

const asking: [string, string[], string, string][] = [
  ['a menu under a spinner', tui('select'), 'Which template do you want?', 'high'],
  ['buttons beside a clock', tui('buttons'), 'Remove the old backups?', 'high'],
  ['dialog', ['dialog', '--yesno', 'Remove it?', '10', '40'], 'Remove it?', 'certain'],
  ['whiptail', ['whiptail', '--yesno', 'Remove it?', '10', '40'], 'Remove it?', 'certain'],
];

describe.concurrent('a full-screen program that asks', () => {
  it.for(asking)('%s: the question is reported', async ([, command, question, certainty], { skip }) => {
    const [tool = ''] = command;
    if (findTool(tool) === null) skip(`${tool} is not installed`);
    const cli = run([...options, '--', ...command], { silentInput: true, env });
    const found = await cli.until('the question', () =>
      reported(cli).findLast(
        ({ verdict, reason }) =>
          verdict?.kind === 'needs-input' && verdict.certainty === certainty && reason.includes(question),
      ),
    );
    const certain = reported(cli).filter(({ verdict }) => verdict?.certainty === 'certain');
    if (certainty !== 'certain') expect(certain).toEqual([]);
    expect(found.confidence === 'certain').toBe(found.safeToKill);
    expect(certainty === 'certain' || !found.safeToKill).toBe(true);
    await stop(cli);
  });
});

/** An open question is reported after six heartbeats. */
const beatsMin = 10;

/** What was called a wait for input, of programs that run at the same time. */
async function calledInput(commands: readonly string[][]): Promise<string[]> {
  const called = commands.map(async (command) => {
    const cli = run([...options, '--', ...command], { silentInput: true, env });
    await cli.until(
      'enough heartbeats',
      () => cli.events.filter(({ kind }) => kind === 'heartbeat').length >= beatsMin,
    );
    const reasons = reported(cli).flatMap(({ verdict, reason }) =>
      verdict?.kind === 'needs-input' ? [`${command.join(' ')}: ${reason}`] : [],
    );
    await stop(cli);
    return reasons;
  });
  return (await Promise.all(called)).flat();
}

describe.concurrent('a full-screen program that works does not need input', () => {
  it('a log with questions in it that grows, and progress below a question that was answered', async () => {
    expect(await calledInput([tui('build'), tui('progress')])).toEqual([]);
  });

  it('watch, top and htop', async ({ skip }) => {
    const commands = [
      ['watch', '-n', '1', 'date'],
      ['top', '-d', '1'],
      ['htop', '-d', '10'],
    ];
    const [there, missing] = [true, false].map((isThere) =>
      commands.filter(([tool = '']) => (findTool(tool) !== null) === isThere),
    );
    expect(await calledInput(there ?? [])).toEqual([]);
    if (missing?.length !== 0) skip(`not installed: ${missing?.map(([tool]) => tool).join(', ')}`);
  });
});

describe.concurrent('the screen of an agent', () => {
  const play = (agent: string, file: string) =>
    run(
      [...options, '--agent', agent, '--', 'node', path.join(programsDir, 'screen/play-screen.mjs'), file],
      {
        silentInput: true,
        env,
      },
    );
  const screens = fileURLToPath(new URL('../../../fixtures/screens/agents/', import.meta.url));
  const recorded = (shows: string) =>
    readdirSync(screens).flatMap((file) =>
      file.endsWith(`-${shows}.raw`) ? [path.join(screens, file)] : [],
    );

  it('a question is reported with the name of the agent', async () => {
    const found = recorded('asks').map(async (file) => {
      const [agent = ''] = path.basename(file).split('-');
      const cli = play(agent, file);
      const { reason } = await cli.until('the question', () =>
        reported(cli).find(({ verdict }) => verdict?.kind === 'needs-input'),
      );
      await stop(cli);
      return reason.startsWith(`${agent} asks: "`) && reason.includes('(rm -rf build)');
    });
    expect(await Promise.all(found)).toEqual([true, true, true, true]);
  });

  it('a wait for the model is in the heartbeat, and needs no input', async () => {
    const found = recorded('thinking').map(async (file) => {
      const [agent = ''] = path.basename(file).split('-');
      const cli = play(agent, file);
      await cli.until('a wait of seven seconds', () =>
        cli.events.some(
          (event) =>
            event.kind === 'heartbeat' &&
            event.agent?.screen?.shows === 'thinking' &&
            event.agent.screen.forMs > 7000,
        ),
      );
      const called = reported(cli).filter(({ verdict }) => verdict?.kind === 'needs-input');
      await stop(cli);
      return called;
    });
    expect((await Promise.all(found)).flat()).toEqual([]);
  });
});
