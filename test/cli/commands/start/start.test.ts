import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { backgroundOptions } from '../../../../src/cli/commands/start/command.js';
import { type StartFlags, startInput } from '../../../../src/cli/commands/start/input.js';
import { start, startedLines } from '../../../../src/cli/commands/start/start.js';
import { fakeCall, printed } from '../fake-call.js';

const context = { cwd: '/srv', env: { PATH: '/bin', NONE: undefined }, options: {} };
const read = (words: string[], flags: StartFlags = {}) => startInput(words, flags, context);
const bare = {
  cwd: '/srv',
  env: {},
  inherit: { PATH: '/bin' },
  envDeny: [],
  tags: [],
  input: 'none',
  options: {},
  waitS: 0,
};
const started = {
  id: 'run_7c1e90b2d4f8',
  pid: 4371,
  status: 'running' as const,
  label: 'npm-run-dev',
  log: '/nowhere/runs/run_7c1e90b2d4f8/output.log',
  warnings: [],
};

describe('what is typed behind unstuck start', () => {
  it('arguments are the program and its arguments, unchanged', () => {
    expect(read(['npm', 'run', 'a b', '$HOME', ''])).toEqual({
      ...bare,
      command: ['npm', 'run', 'a b', '$HOME', ''],
    });
  });

  it('--shell is a line for the login shell', () => {
    expect(read([], { shell: 'npm run build && npm test' }).command).toBe('npm run build && npm test');
  });

  it('options are passed on to the operation', () => {
    const input = startInput(
      ['make'],
      {
        label: 'l',
        task: 't',
        owner: 'o',
        tag: ['a', 'b'],
        cwd: 'sub/../dir',
        env: ['PORT=3000', 'EMPTY=', 'EQ=a=b'],
        envDeny: ['AWS_*'],
        stdin: true,
        wait: '1.5s',
        notify: true,
        watch: ['ready'],
      },
      { ...context, options: { timeout: '10m' } },
    );
    expect(input).toEqual({
      ...bare,
      command: ['make'],
      cwd: '/srv/dir',
      label: 'l',
      task: 't',
      owner: 'o',
      tags: ['a', 'b'],
      env: { PORT: '3000', EMPTY: '', EQ: 'a=b' },
      envDeny: ['AWS_*'],
      input: 'pipe',
      options: { timeout: '10m' },
      notify: { events: ['exit'], patterns: ['ready'], everyS: 0 },
      waitS: 1.5,
    });
  });

  it('a terminal takes input, too', () => {
    expect(read(['python3'], { pty: true, stdin: true }).input).toBe('pty');
  });

  it.each<[string, string[], StartFlags, RegExp, RegExp]>([
    ['nothing', [], {}, /no command given/, /unstuck start -- npm run dev/],
    ['an empty word', [''], {}, /no command given/, /give a command/],
    ['an empty line', [], { shell: '  ' }, /no command given/, /give a command/],
    [
      'both',
      ['npm'],
      { shell: 'x' },
      /--shell cannot be combined with a command: "npm"/,
      /leave out --shell/,
    ],
    [
      'a line where a program belongs',
      ['npm run build && npm test'],
      {},
      /there is no program "npm run build && npm test"/,
      /unstuck start --shell "npm run build && npm test"/,
    ],
    [
      'a variable without a value',
      ['x'],
      { env: ['A=1', 'SECRET'] },
      /--env number 2 is not NAME=VALUE$/,
      /PORT=3000/,
    ],
    ['a variable without a name', ['x'], { env: ['=x'] }, /--env number 1/, /PORT=3000/],
    [
      'a duration',
      ['x'],
      { wait: 'soon' },
      /--wait is "soon", which is not a duration from 0 to 3m/,
      /--wait 500ms/,
    ],
  ])('%s is refused with what to do', (_, words, flags, message, hint) => {
    expect(() => read(words, flags)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      }),
    );
  });

  it('a program with a space in its name is a program', () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'unstuck-start-'));
    try {
      writeFileSync(path.join(dir, 'my tool'), '');
      expect(read(['./my tool'], { cwd: dir }).command).toEqual(['./my tool']);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('start has the limits of run, but not its options for output and reports', () => {
    const keys = backgroundOptions.map(({ key }) => key);
    expect(keys).toEqual(
      expect.arrayContaining(['timeout', 'idleTimeout', 'killOn', 'grace', 'preset', 'sample']),
    );
    for (const key of ['heartbeat', 'status', 'json', 'report', 'junit', 'markdown', 'label', 'stdin', 'pty'])
      expect(keys).not.toContain(key);
  });
});

describe('what unstuck start prints', () => {
  it('the id alone on stdout, all else on stderr', async () => {
    const { call, asked } = fakeCall({ start: started });
    const { stdout, stderr } = await printed(() => start(call, ['npm'], {}, context));
    expect(stdout).toBe('run_7c1e90b2d4f8\n');
    expect(stderr).toBe(
      [
        'started npm-run-dev, pid 4371',
        'next: unstuck log 7c1e -f    follow its output',
        '      unstuck wait 7c1e      until it ends, needs input or is stuck',
        '',
      ].join('\n'),
    );
    expect(asked).toEqual([['start', { ...bare, command: ['npm'] }]]);
  });

  it('--json is the output of the operation', async () => {
    const { call } = fakeCall({ start: started });
    const { stdout, stderr } = await printed(() => start(call, ['npm'], { json: true }, context));
    expect(JSON.parse(stdout)).toEqual({ version: 1, ...started });
    expect(stderr).toBe('');
  });

  it('with --wait it may have ended', () => {
    expect(startedLines({ ...started, status: 'exited' }, '7c1e')).toEqual([
      'started npm-run-dev, pid 4371; it has ended',
      'next: unstuck poll 7c1e    how it ended, and its output',
    ]);
  });

  it('warnings go to stderr, before what to type next; notices are part of that when they were asked for', async () => {
    const { call } = fakeCall({ start: { ...started, warnings: ['patterns\x1b are dropped'] } });
    const { stdout, stderr } = await printed(() => start(call, ['npm'], { notify: true }, context));
    expect(stdout).toBe('run_7c1e90b2d4f8\n');
    expect(stderr.split('\n')).toEqual([
      'warning: patterns\\x1b are dropped',
      'started npm-run-dev, pid 4371',
      'next: unstuck log 7c1e -f    follow its output',
      '      unstuck wait 7c1e      until it ends, needs input or is stuck',
      '      unstuck notices -f     follow the notices of runs',
      '',
    ]);
  });
});
