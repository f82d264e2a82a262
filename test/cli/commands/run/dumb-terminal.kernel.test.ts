import { describe, expect, it } from 'vitest';
import { cliPath } from '../../../support/run-cli.js';
import { startRunCli, untilGo } from '../../../support/start-run-cli.js';

/** What `unstuck run` shows on a terminal, once it has shown this: that of another one around it. */
async function onTerminal(env: NodeJS.ProcessEnv, wanted: RegExp): Promise<string> {
  const script = `echo hello; ${untilGo()}`;
  const inner = [process.execPath, cliPath, 'run', '--heartbeat', '500ms', '--', 'sh', '-c', script];
  const cli = startRunCli(['--pty', '--status', 'none', '--', ...inner], { env });
  await cli.until(`${wanted}`, () => cli.stdout.includes('hello') && wanted.test(cli.stdout));
  cli.go();
  expect(await cli.done).toBe(0);
  return cli.stdout;
}

const sequence = /\x1b/;
const colour = /\x1b\[[\d;]*m/;

describe('what a terminal is sent', () => {
  it('control sequences and colours where it can draw', async () => {
    const shown = await onTerminal({ TERM: 'xterm', NO_COLOR: '' }, colour);
    expect(shown).toMatch(colour);
  });

  it('no colours with NO_COLOR, but a line that is drawn over', async () => {
    const shown = await onTerminal({ TERM: 'xterm', NO_COLOR: '1' }, sequence);
    expect(shown).not.toMatch(colour);
    expect(shown).toMatch(sequence);
  });

  it('no sequence at all with TERM=dumb: heartbeats are lines', async () => {
    const shown = await onTerminal({ TERM: 'dumb', NO_COLOR: '' }, /\[heartbeat\] /);
    expect(shown).not.toMatch(sequence);
    expect(shown).toContain('[heartbeat] ');
  });
});
