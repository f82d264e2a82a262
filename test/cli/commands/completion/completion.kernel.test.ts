import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandGroups } from '../../../../src/cli/commands/table.js';
import { options } from '../../../../src/config/options.js';
import { findTool } from '../../../support/find-tool.js';
import { patienceMs } from '../../../support/patience.js';
import { removeDirectory } from '../../../support/remove-directory.js';
import { cliPath, runCli } from '../../../support/run-cli.js';

const commands = ['help', ...Object.values(commandGroups).flatMap((group) => Object.keys(group))].sort();
const file = '/proc/self/cmdline';

/** What is typed, and what it must offer; the last word is the one to complete. */
const cases: [typed: string, offers: string[]][] = [
  ['unstuck ', commands],
  ['unstuck ru', ['run']],
  ['unstuck run --kill-on ', ['certain', 'high', 'medium', 'never']],
  ['unstuck run --timeout 5s --kill-on c', ['certain']],
  ['unstuck run --kill-on-s', ['--kill-on-stall']],
  ['unstuck run --no-q', ['--no-quiet-env']],
  ['unstuck run mkfif', ['mkfifo']],
  ['unstuck run -- mkfif', ['mkfifo']],
  ['unstuck run --pty --timeout 5s mkfif', ['mkfifo']],
  [`unstuck run ls ${file.slice(0, -2)}`, [file]],
  [`unstuck run --timeout 5s -- ls -l ${file.slice(0, -2)}`, [file]],
  [`unstuck run --report ${file.slice(0, -2)}`, [file]],
  ['unstuck completion ', ['bash', 'fish', 'zsh']],
  ['unstuck help wh', ['why']],
  ['unstuck config --explain idl', ['idleTimeout']],
  ['unstuck why --prob', ['--probe']],
  ['unstuck start --env', ['--env', '--env-deny']],
  ['unstuck start --kill-on c', ['certain']],
  ['unstuck start --pty -- mkfif', ['mkfifo']],
  ['unstuck ps --status l', ['lost']],
  ['unstuck start --notify-on n', ['needs-input']],
  ['unstuck notices --ack', ['--ack', '--ack-to']],
  ['unstuck log --fol', ['--follow']],
  ['unstuck daemon sto', ['stop']],
  ['unstuck kill aa', ['aaaa00000000']],
  ['unstuck kill aaaa00000000 aa', ['aaaa00000000']],
  ['unstuck attach run_b', ['run_bbbb00000000']],
  ['unstuck log cc', ['cccc00000000']],
  ['unstuck wait --timeout 5s cc', ['cccc00000000']],
  ['unstuck why bb', ['bbbb00000000']],
];

let dir: string;
const scripts: Record<string, string> = {};

/** As it is on disk; `exit` is blank as long as it runs. */
function writeRun(id: string, exit: string): void {
  const run = join(dir, 'home', 'runs', id);
  mkdirSync(run, { recursive: true });
  writeFileSync(join(run, 'run.json'), JSON.stringify({ label: `label of ${id}`, background: {} }));
  writeFileSync(join(run, 'exit'), exit);
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'unstuck-completion-'));
  writeRun('run_aaaa00000000', `${' '.repeat(15)}\n`);
  writeRun('run_bbbb00000000', `${' '.repeat(15)}\n`);
  writeRun('run_cccc00000000', '0');
  mkdirSync(join(dir, 'bin'));
  writeFileSync(join(dir, 'bin', 'unstuck'), `#!/bin/sh\nexec '${process.execPath}' '${cliPath}' "$@"\n`, {
    mode: 0o755,
  });
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    scripts[shell] = join(dir, `unstuck.${shell}`);
    writeFileSync(scripts[shell] as string, stdout);
  }
});

afterAll(() => removeDirectory(dir));

function run(shell: string, args: string[]): string {
  return execFileSync(findTool(shell) as string, args, {
    encoding: 'utf8',
    timeout: 2 * patienceMs,
    cwd: dir,
    env: {
      PATH: `${join(dir, 'bin')}:${process.env.PATH}`,
      HOME: dir,
      LANG: 'C.UTF-8',
      UNSTUCK_HOME: join(dir, 'home'),
    },
  });
}

const offered = (text: string) => [...new Set(text.split('\n').filter((line) => line !== ''))].toSorted();

/** Does what bash does when the last of the words is to be completed. */
const askBash = `
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_unstuck
printf '%s\\n' "\${COMPREPLY[@]}"`;

describe('completion in bash', () => {
  const complete = (words: string[]) =>
    offered(run('bash', ['--norc', '-c', askBash, 'bash', scripts.bash as string, ...words]));

  it.each(cases)('%s', (typed, offers) => {
    expect(complete(typed.split(' '))).toEqual(offers);
  });

  it('knows every option of run', () => {
    const offers = complete(['unstuck', 'run', '--']);
    for (const { key } of options) {
      const flag = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      expect(offers.filter((offer) => offer.replace('--no-', '--') === `--${flag}`)).toHaveLength(1);
    }
  });

  it.each([
    [
      ['--kill-on', '='],
      ['certain', 'high', 'medium', 'never'],
    ],
    [['--kill-on', '=', 'c'], ['certain']],
    [['--timeout', '=', '5s', 'mkfif'], ['mkfifo']],
  ])('--option=value, which bash splits: %j', (words, offers) => {
    expect(complete(['unstuck', 'run', ...words])).toEqual(offers);
  });

  it('offers running runs to kill, all runs to log, and no second id where a command takes a single id', () => {
    expect(complete(['unstuck', 'kill', ''])).toEqual(['aaaa00000000', 'bbbb00000000']);
    expect(complete(['unstuck', 'log', ''])).toEqual(['aaaa00000000', 'bbbb00000000', 'cccc00000000']);
    expect(complete(['unstuck', 'write', 'aaaa00000000', ''])).toEqual([]);
  });

  it('offers nothing for options of the command that is run', () => {
    expect(complete(['unstuck', 'run', 'ls', '--kill-on', ''])).not.toContain('certain');
    expect(complete(['unstuck', 'run', 'ls', '--kill'])).toEqual([]);
  });
});

describe('completion in fish', () => {
  it.for(cases)('%s', ([typed, offers], { skip }) => {
    if (findTool('fish') === null) skip('fish is not installed');
    const script = 'source $argv[1]; complete -C $argv[2]';
    const text = run('fish', ['--no-config', '-c', script, scripts.fish as string, typed]);
    expect(offered(text.replace(/\t.*$/gm, ''))).toEqual(offers);
  });
});

/** Types each line into a zsh on a terminal of its own, presses the key that completes, and prints what became of it. */
const typeIntoZsh = `
zmodload zsh/zpty
zpty typist 'TERM=dumb zsh -f -i'
zpty -w typist "PS1=; autoload -U compinit; compinit -u -D; source \${(q)1}; LISTMAX=1000
complete-and-tell() { zle complete-word; print -r -- \\"\\$BUFFER\\" >> \${(q)2}; BUFFER= }
zle -N complete-and-tell; bindkey '^T' complete-and-tell; : > \${(q)2}"
repeat 1200; do [[ -e $2 ]] && break; zpty -r -t typist screen; sleep 0.1; done
for line in "\${@[3,-1]}"; do zpty -w -n typist "$line"$'\\x14'; done
repeat 1200; do (( $(wc -l < $2) >= $# - 2 )) && break; zpty -r -t typist screen; sleep 0.1; done
zpty -d typist
cat $2`;

describe('completion in zsh', () => {
  it('completes a word that has a single completion', ({ skip }) => {
    if (findTool('zsh') === null) skip('zsh is not installed');
    const single = cases.filter(([, offers]) => offers.length === 1);
    const text = run('zsh', [
      '-f',
      '-c',
      typeIntoZsh,
      'zsh',
      scripts.zsh as string,
      join(dir, 'told'),
      ...single.map(([typed]) => typed),
    ]);
    expect(text.split('\n').filter((line) => line !== '')).toEqual(
      single.map(([typed, [offer]]) => expect.stringMatching(`^${typed.replace(/\S*$/, '')}${offer}[ =]?$`)),
    );
  });
});
