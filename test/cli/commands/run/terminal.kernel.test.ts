import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { until } from '../../../support/background-home.js';
import { findTool } from '../../../support/find-tool.js';
import { type ScreenOptions, TmuxScreen } from '../../../support/tmux-screen.js';

/** What a person does at a terminal; the screen at the end. */
type Session = (screen: TmuxScreen) => Promise<string>;

const question: Session = async (screen) => {
  await screen.until(/^\$$/m);
  screen.type(`u sh -c 'printf "[y/N] "; read a; echo "got $a"; exit 3'; echo "code $?"`);
  await screen.until(/\[y\/N\]$/m);
  screen.type('yes');
  return screen.until(/^code \d+\n\$$/m);
};

const terminalFacts: Session = async (screen) => {
  await screen.until(/^\$$/m);
  screen.type(
    `u sh -c 'for i in 0 1 2; do test -t $i && echo "$i is a terminal"; done; stty size; stty -echo; echo "to tty" >/dev/tty; read a </dev/tty; stty echo; echo "read $a"'; stty -a | grep -o ' echo '`,
  );
  await screen.until(/^to tty$/m);
  screen.type('hidden');
  return screen.until(/^ echo\n\$$/m);
};

const stopAndGoOn: Session = async (screen) => {
  await screen.until(/^\$$/m);
  screen.type(`before=$(stty -g); u sh -c 'echo ready; exec sleep 300'`);
  await screen.until(/^ready$/m);
  screen.press('C-z');
  await screen.until(/\^Z[\s\S]*\n\$$/);
  screen.type('fg');
  await screen.until(/fg\n[^$]*\n?$/);
  // The shell says so before it hands the terminal over.
  await screen.untilTaken();
  screen.press('C-c');
  await screen.until(/\^C[\s\S]*\n\$$/);
  screen.type('echo "code $?"; test "$before" = "$(stty -g)" && echo same');
  return screen.until(/same\n\$$/);
};

const python: Session = async (screen) => {
  await screen.until(/^\$$/m);
  screen.type('u /usr/bin/python3 -q');
  await screen.until(/^>>>$/m);
  screen.type('6 * 7');
  await screen.until(/^42\n>>>$/m);
  for (const count of [1, 2, 3]) {
    screen.press('C-c');
    await screen.until(new RegExp(`(KeyboardInterrupt\\n>>>[\\s\\S]*){${count}}$`));
  }
  screen.press('C-d');
  return screen.until(/^\$$/m);
};

const editor: Session = async (screen) => {
  await screen.until(/^\$$/m);
  screen.type(`u vi -u NONE ${screen.home}/text`);
  await screen.until(/^~$/m);
  screen.type('ione');
  screen.press('Escape');
  screen.press('C-z');
  await screen.until(/\n\$$/);
  screen.type('fg');
  await screen.until(/^~$/m);
  screen.type('itwo');
  screen.press('Escape');
  screen.type(':wq');
  await screen.until(/\n\$$/);
  screen.type(`clear; cat ${screen.home}/text`);
  return screen.until(/^one\ntwo\n\n\$$/m);
};

const sessions: [string, Session][] = [
  ['a question', question],
  ['isatty, /dev/tty, echo', terminalFacts],
  ['Ctrl-Z, fg, Ctrl-C', stopAndGoOn],
  ['the prompt of Python', python],
  ['an editor', editor],
];

const places: [string, ScreenOptions][] = [
  ['zsh', { shell: 'zsh' }],
  ['40 columns', { columns: 40 }],
  ['200 columns', { columns: 200 }],
  ['TERM=dumb', { env: { TERM: 'dumb' } }],
  ['LANG=C', { env: { LANG: 'C', LC_ALL: 'C' } }],
];

const tools = ['tmux', 'zsh', 'vi'].every((name) => findTool(name) !== null);

const statusOf = (pid: number, word: string) =>
  new RegExp(`^${word}:\\s+(\\w+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
const parentOf = (pid: number) => Number(statusOf(pid, 'PPid'));
const stateOf = (pid: number) => statusOf(pid, 'State');
/** It does so again as soon as it goes on. */
const catchesStop = (pid: number) =>
  (BigInt(`0x${statusOf(pid, 'SigCgt')}`) & (1n << BigInt(os.constants.signals.SIGTSTP - 1))) !== 0n;

/** The directory of a test has another name each time. */
const same = (screen: TmuxScreen, text: string) => text.replaceAll(screen.home, 'HOME');

describe.skipIf(!tools).concurrent('a terminal is as without unstuck run', () => {
  it.for([
    ...sessions.map(([name, session]) => ({ name, session, options: {} })),
    ...places.map(([place, options]) => ({ name: `a question, ${place}`, session: question, options })),
    { name: 'Ctrl-Z, fg, Ctrl-C, zsh', session: stopAndGoOn, options: { shell: 'zsh' as const } },
  ])('$name', async ({ session, options }, { expect }) => {
    const [plain, ours] = [new TmuxScreen({ ...options, words: [] }), new TmuxScreen(options)];
    const [expected, shown] = await Promise.all([session(plain), session(ours)]);
    expect(same(ours, shown)).toBe(same(plain, expected));
    expect(same(ours, shown)).toMatchSnapshot();
  });

  it('a new size reaches the command', async () => {
    const screen = new TmuxScreen();
    screen.type(`u sh -c 'trap "stty size" WINCH; echo ready; while :; do sleep 0.1; done'`);
    await screen.until(/^ready$/m);
    screen.resize(61);
    await screen.until(/^24 61$/m);
    screen.press('C-c');
    await screen.until(/\n\$$/);
  });

  it('the terminal is in order after a command that was killed with other settings', async () => {
    const screen = new TmuxScreen();
    screen.type(`before=$(stty -g); u sh -c 'stty raw -echo; kill -9 $$'; echo "code $?"`);
    await screen.until(/^code 137$/m);
    screen.type('test "$before" = "$(stty -g)" && echo "s"ame');
    await screen.until(/^same$/m);
  });

  it('Ctrl-C right after fg reaches a command that has not got its terminal back yet', async () => {
    const screen = new TmuxScreen();
    screen.type(`u sh -c 'echo "shim $PPID"; exec sleep 300'`);
    const shim = Number(/^shim (\d+)$/m.exec(await screen.until(/^shim \d+$/m))?.[1]);
    const unstuck = parentOf(parentOf(shim));
    screen.press('C-z');
    await until(() => stateOf(unstuck) === 'T', 'stopped');
    process.kill(shim, 'SIGSTOP');
    screen.type('fg');
    await until(() => catchesStop(unstuck), 'goes on');
    screen.press('C-c');
    await screen.until(/\^C/);
    process.kill(shim, 'SIGCONT');
    await screen.until(/\^C\n\$$/);
  });

  it('a job in the background leaves the keys to the shell, and gets them in the foreground', async () => {
    const screen = new TmuxScreen();
    screen.type(`u sh -c 'echo ready; read a; echo "got $a"' &`);
    await screen.until(/ready$/m);
    screen.type('echo "for the"" shell"');
    await screen.until(/^for the shell$/m);
    screen.type('fg');
    await screen.until(/^u sh -c .*$(?![\s\S]*for the)/m);
    screen.type('me');
    await screen.until(/^got me$/m);
  });

  it('a status line is drawn below lines, and not beside a question', async () => {
    const screen = new TmuxScreen({ columns: 100 });
    screen.type(
      `u sh -c 'echo one; until [ -e ${screen.home}/go ]; do sleep 0.1; done; printf "name? "; read a'`,
    );
    await screen.until(/^one\nsh: healthy .* │ one$/m);
    writeFileSync(`${screen.home}/go`, '');
    await screen.until(/^one\nname\?$/m);
    screen.type('x');
    expect(await screen.until(/\n\$$/)).toMatch(/one\nname\? x\n\$$/);
  });
});
