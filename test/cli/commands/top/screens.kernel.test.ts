import { setTimeout as delay } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { ownHome } from '../../../support/background-home.js';
import { findTool } from '../../../support/find-tool.js';
import { cliPath } from '../../../support/run-cli.js';
import { type ScreenOptions, TmuxScreen } from '../../../support/tmux-screen.js';

/** What differs from run to run: ids, times, pids, numbers. */
function steady(screen: string, home: string): string {
  return (
    screen
      .replaceAll(home, 'HOME')
      .replace(/run_[0-9a-f]{12}/g, 'run_ID')
      .replace(/\([0-9a-f]{4,12}\)/g, '(ID)')
      .replace(/^([> ] )[0-9a-f]{4,12} +/gm, '$1ID ')
      .replace(/^ {2}ID +LABEL.*$/m, '  ID LABEL')
      // Columns are as wide as what is in them: the sentence, CPU, memory, time and last line differ.
      .replace(/^([> ] ID \S+ +\S+) .*$/gm, '$1 …')
      .replace(/^(?:too early to judge|last output|it prints|output |started ).*$/m, 'HEALTH')
      // Ids have different lengths, so lines of a narrow screen are cut at different places.
      .replace(/(?<=and everything ).*(?= \[y)/m, '…')
      .replace(/(?<=killed ).*$/m, '…')
      .replace(/kill \d+/g, 'kill PID')
      .replace(/\/dev\/pts\/\d+/g, '/dev/pts/N')
      .replace(/\d+(?:\.\d+)? (?:ms|s)\b/g, '# s')
  );
}

const screens: [string, ScreenOptions][] = [
  ['200 columns', { columns: 200 }],
  ['40 columns, LANG=C', { columns: 40, env: { LANG: 'C', LC_ALL: 'C' } }],
];

async function begin({ env, ...options }: ScreenOptions): Promise<TmuxScreen> {
  // The screen ends first: it would start a daemon again.
  const home = ownHome().path;
  const words = [process.execPath, cliPath];
  const screen = new TmuxScreen({ ...options, words, env: { ...env, UNSTUCK_HOME: home } });
  await screen.until(/^\$$/m);
  return screen;
}

/** A y that comes as fast as pasted text is ignored. */
async function confirm(screen: TmuxScreen): Promise<void> {
  while (/\[y\/N\]$/m.test(screen.show())) {
    screen.press('y');
    await delay(50);
  }
}

const ask = `printf "Publish? "; read answer; echo "you said $answer"; exec sleep 1000`;

describe.skipIf(findTool('tmux') === null)('unstuck top at a terminal', { concurrent: true }, () => {
  it.for(screens)(
    'answers, shows why and log, stops with a question: %s',
    async ([, options], { expect }) => {
      const screen = await begin(options);
      const shown: string[] = [];
      const keep = async (pattern: RegExp) =>
        // How much of the question fits depends on the id.
        shown.push(
          steady(await screen.until(pattern), screen.home).replace(/(Stop ask \(ID\)) .*(?= \[y)/, '$1 …'),
        );
      screen.type(`u start --pty --label ask --sample 500ms -- sh -c '${ask}' 2>&1 | tail -1; u top`);
      await screen.until(/> \S+ +ask +needs/);
      screen.press('a');
      for (const key of 'yes') screen.press(key);
      await keep(/^answer for ask: yes_$/m);
      screen.press('Enter');
      await screen.until(/the command has read the answer/);
      screen.press('l');
      await keep(/you said yes[\s\S]*q back/);
      screen.press('q');
      await screen.until(/> \S+ +ask/);
      screen.press('Enter');
      await screen.until(/sleep[\s\S]*q back/);
      screen.press('q');
      await screen.until(/> \S+ +ask/);
      screen.press('x');
      await keep(/\[y\/N\]$/m);
      screen.press('n');
      await screen.until(/nothing was done/);
      screen.press('x');
      await screen.until(/\[y\/N\]$/m);
      await confirm(screen);
      await keep(/1 ended[\s\S]*killed/);
      screen.press('?');
      await keep(/any key back/);
      screen.press('q');
      await screen.until(/> \S+ +ask/);
      // A smaller terminal, a visit to the shell, and the end: the screen of the shell is back as it was.
      screen.resize(60);
      await screen.until(/^q quit .*r run again$/m);
      screen.press('C-z');
      await screen.until(/Stopped/);
      screen.type('fg');
      await screen.until(/^q quit .*r run again$/m);
      screen.press('C-c');
      await screen.until(/Stopped[\s\S]*\n\$$/);
      screen.type('clear; stty -a | grep -o " icanon"; u top --json | head -c 14');
      expect(await screen.until(/version/)).toMatch(/^ icanon$/m);
      expect(shown.join('\n=====\n')).toMatchSnapshot();
    },
  );

  it('a dumb terminal and a pipe get the table once; the end of the daemon is seen', async ({ expect }) => {
    const screen = await begin({ columns: 80 });
    screen.type(
      'u start --label job -- sleep 1000 2>/dev/null; clear; TERM=dumb u top; u top | cat; echo done',
    );
    const printed = await screen.until(/^done$/m);
    expect(printed.match(/^[0-9a-f]{4,12} +job +healthy/gm)).toHaveLength(2);
    screen.type('u top');
    await screen.until(/> \S+ +job/);
    screen.press('C-z');
    await screen.until(/Stopped/);
    screen.type(
      'kill -9 $(u daemon status --json | grep -o \'"pid": *[0-9]*\' | grep -o "[0-9]*"); clear; fg',
    );
    // The next daemon has all runs.
    await screen.until(/unstuck top: 1 run, 1 running/);
    screen.press('q');
    await screen.until(/\$$/);
  });
});
