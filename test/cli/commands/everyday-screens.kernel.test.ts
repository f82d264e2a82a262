import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'vitest';
import { endHome } from '../../support/background-home.js';
import { findTool } from '../../support/find-tool.js';
import { afterThisTest } from '../../support/per-test.js';
import { cliPath } from '../../support/run-cli.js';
import { type ScreenOptions, TmuxScreen } from '../../support/tmux-screen.js';

const files = {
  'unstuck-up.yaml':
    'services:\n  db: { command: [./server], ready: { match: ready } }\n  seed: { command: [echo, seeded], after: [db], ready: { exit: true } }\n',
  server: '#!/bin/sh\necho ready\nexec sleep 1000\n',
  second: '#!/bin/sh\ntest -e failed && exec echo second\ntouch failed\nexit 3\n',
  worker: '#!/bin/sh\ntrap "echo got it" USR1\necho ready\nwhile :; do sleep 0.1; done\n',
};

/** From the line that was typed last, where it is still there. */
const sinceClear = (screen: string): string => screen.slice(Math.max(0, screen.lastIndexOf('$ clear')));

/** What differs from run to run: ids, times, pids. */
function steady(screen: string, home: string, isNarrow: boolean): string {
  return (
    sinceClear(screen)
      .replaceAll(home, 'HOME')
      .replace(/run_[0-9a-f]{12}/g, 'run_ID')
      .replace(/\([0-9a-f]{1,12}\)/g, '(ID)')
      .replace(/^[0-9a-f]{4,12} +/gm, 'ID ')
      .replace(/^ID +LABEL +HEALTH.*$/m, 'ID LABEL HEALTH')
      // Ids have different lengths, so lines of a narrow table end at different places.
      .replace(isNarrow ? /^(ID \S+ +\S+(?: 0)?) .*$/gm : /^(ID \S+ +\S+(?: 0)?) .*…$/gm, '$1 …')
      .replace(/:[0-9a-f]{6}(?=[):]|$)/gm, ':######')
      .replace(/pid[ =]\d+/g, 'pid #')
      .replace(/process \d+$/gm, 'process #')
      .replace(/^(run_ID +\S+ +\S+ +\S+ +)\d+ +\S+/gm, '$1# DATE')
      .replace(/^(ID +STATUS +EXIT +HEALTH +PID) .*$/m, '$1 …')
      .replace(/(unstuck notices -f) +/, '$1  ')
      .replace(/(unstuck (?:log|wait|attach)) [0-9a-f]{4,12}/g, '$1 ID')
      .replace(/\b\d+ of \d+ processes/g, '# of # processes')
      .replace(/, healthy: [\s\S]*?(?=\n\S*\$)/g, ', healthy: …')
      // Where the directory is, and when it was.
      .replace(/ \d{4}-\d\d-\d\d .*$/gm, ' DATE')
      .replace(/( LAST) .*$/m, '$1')
      .replace(/\d\d:\d\d:\d\d/g, '00:00:00')
      .replace(/\b(?:\d+ min )?\d+(?:\.\d+)? (?:ms|s)\b/g, '# s')
      // It may not be sampled yet.
      .replace(/(paused for # s) .*(00:00:00)/, '$1 $2')
      .replace(/paused for [\d.]+…/, 'paused for # s')
  );
}

interface Step {
  line: string;
  /** What must be on the screen before the next line is typed, or the keys are pressed. */
  shown: RegExp;
  /** Typed and pressed after that. */
  keys?: { text?: string; seen?: RegExp; key: string };
}

const up: Step[] = [
  { line: 'u up -d', shown: /all are ready/ },
  { line: 'u log db seed; echo done', shown: /^done$/m },
  { line: 'u wait seed; u why db | head -1', shown: /sleep/ },
  { line: 'u down; u ps; echo done', shown: /^done$/m },
  { line: "u run --retry 1 --label job -- sh -c 'echo no; exit 3'; echo code $?", shown: /^code \d+$/m },
];

const acting: Step[] = [
  { line: 'u start --label api -- ./worker', shown: /started api/ },
  { line: 'u wait api --match ready; u wait api --timeout 0s', shown: /is still/ },
  { line: 'u pause api; u pause api; u ps; u resume api', shown: /is running/ },
  { line: 'u signal api USR1; u wait api --match got; u signal api KILL; echo done', shown: /^done$/m },
  { line: 'u log -f api', shown: /got it/, keys: { key: 'C-c' } },
  { line: 'u restart api; until u log api | grep r; do :; done; echo done', shown: /^done$/m },
  { line: 'u attach api; u kill api; u rm api; u kill api; echo done', shown: /^done$/m },
  { line: 'u start --notify --pty --label cat -- cat >/dev/null 2>&1; echo done', shown: /^done$/m },
  {
    line: 'u attach cat',
    shown: /attached to/,
    keys: { text: 'hello', seen: /hello\s+hello/, key: 'C-]' },
  },
  {
    line: 'u submit cat bye; u wait cat --match bye; u kill cat; u rerun cat; u kill cat; echo done',
    shown: /^done$/m,
  },
  { line: 'u notices; u history; echo done', shown: /^done$/m },
  { line: 'u watch $$', shown: /is watched/, keys: { key: 'C-c' } },
];

const many: Step[] = [
  { line: 'u | tail -1; u version', shown: /^\d+\.\d+\.\d+$/m },
  { line: 'u why 99999999; u kill; echo done', shown: /^done$/m },
  { line: 'u start --label one --tag chat=42 --notify -- echo first; u wait one', shown: /has ended/ },
  {
    line: 'u start --label two --restart on-failure -- ./second; until u log two 2>&1 | grep second; do sleep 0.2; done; echo done',
    shown: /^done$/m,
  },
  { line: 'u wait one two --all; u logs one two -n 1 --since 5m; echo done', shown: /^done$/m },
  { line: 'u ls --tag chat=42; u notices --tag chat=42; u notices --tag none; echo done', shown: /^done$/m },
  { line: 'u stop one; u orphans; u kill --orphans --dry-run; echo done', shown: /^done$/m },
];

const screens: [string, ScreenOptions][] = [
  ['bash, 200 columns', { shell: 'bash', columns: 200 }],
  ['zsh, 40 columns', { shell: 'zsh', columns: 40 }],
  ['bash, a dumb terminal', { shell: 'bash', columns: 120, env: { TERM: 'dumb' } }],
  ['zsh, LANG=C', { shell: 'zsh', env: { LANG: 'C', LC_ALL: 'C' } }],
];

const missing = ['tmux', 'zsh'].filter((name) => findTool(name) === null);

/** Types the lines in a shell at a terminal, and gives what was on the screen after each of them. */
async function play(steps: readonly Step[], options: ScreenOptions): Promise<string> {
  const screen = new TmuxScreen({ ...options, words: [process.execPath, cliPath] });
  const state = path.join(screen.home, 'state');
  afterThisTest(() => endHome(state, { ...process.env, UNSTUCK_HOME: state }));
  const dir = path.join(screen.home, 'shop');
  mkdirSync(dir);
  for (const [name, text] of Object.entries(files))
    writeFileSync(path.join(dir, name), text, { mode: 0o755 });
  await screen.until(/^\$$/m);
  screen.type(`cd ${dir}`);
  const shown: string[] = [];
  for (const { line, shown: pattern, keys } of steps) {
    const before = screen.show();
    // What the line before has left on the screen does not count. A dumb terminal cannot be cleared.
    const news = (now: string) => (now.startsWith(before) ? now.slice(before.length) : sinceClear(now));
    screen.type(`clear; ${line}`);
    if (keys !== undefined) {
      await screen.until(pattern, news);
      if (keys.text !== undefined) screen.type(keys.text);
      if (keys.seen !== undefined) await screen.until(keys.seen, news);
      screen.press(keys.key);
    }
    // The shell waits for the next line.
    await screen.until(new RegExp(`${pattern.source}[\\s\\S]*\\n\\$$`, pattern.flags), news);
    shown.push(steady(screen.show({ joined: true }), screen.home, options.columns === 40));
  }
  return shown.join('\n=====\n');
}

describe.skipIf(missing.length > 0)('everyday commands at a terminal', { concurrent: true }, () => {
  it.for(screens)('%s', async ([, options], { expect }) => {
    expect(await play(up, options)).toMatchSnapshot();
  });

  it.for(screens)('several runs: %s', async ([, options], { expect }) => {
    expect(await play(many, options)).toMatchSnapshot();
  });

  it.for(screens)('acting on runs: %s', async ([, options], { expect }) => {
    expect(await play(acting, options)).toMatchSnapshot();
  });
});
