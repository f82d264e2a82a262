import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ownHome, until } from '../../support/background-home.js';
import { patienceMs } from '../../support/patience.js';
import { cliPath } from '../../support/run-cli.js';

const standIn = fileURLToPath(new URL('../../support/stand-in-agent.mjs', import.meta.url));

interface Played {
  output: string;
  code: number | null;
  signal: string | null;
  tookMs: number;
  begun: { code: number; output: string };
  finished: { code: number; output: string };
}

interface Wish {
  command: string;
  /** Processes of the agent beside its tool; `detached`: they lead a session. */
  beside?: { command: string; detached: boolean }[];
  /** The agent ends its tool when this file exists, as its own time limit would. */
  killOn?: string;
}

const quick = '--sample 300ms --server-after 1s';

const hookLine = (flags: string) =>
  `'${process.execPath}' '${cliPath}' hook event claude ${flags} 2>/dev/null || :`;

function play(wish: Wish, flags: string): Promise<Played> {
  const home = ownHome();
  const args = [standIn, hookLine(flags), JSON.stringify(wish)];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      args,
      { env: home.env, cwd: home.path, timeout: 2 * patienceMs },
      (error, stdout) => {
        if (error === null) resolve(JSON.parse(stdout));
        else reject(error);
      },
    );
  });
}

const notices = async () => (await ownHome().call('notices', { consumer: 'test' })).notices;

function hintOf({ finished }: Played): string | null {
  if (finished.output === '') return null;
  const { hookSpecificOutput } = JSON.parse(finished.output);
  return hookSpecificOutput.additionalContext;
}

const server = (more = '') =>
  `'${process.execPath}' -e 'require("node:http").createServer(() => {}).listen(0, "127.0.0.1"); console.log("up");${more}'`;

describe.concurrent('a tool of an agent', () => {
  test('that hangs is stopped where that was chosen, and the agent is told what to do instead', async () => {
    const played = await play(
      { command: 'echo before; mkfifo p; cat p; echo "after $?"; exit 7' },
      `${quick} --on-stuck stop`,
    );
    expect(played).toMatchObject({ output: 'before\nafter 143\n', code: 7, begun: { code: 0, output: '' } });
    expect(hintOf(played)).toMatch(
      /^Unstuck: this command hung: cat .*It was stopped .* after it began\.\nInstead: open the other end of the FIFO/s,
    );
    expect(await notices()).toMatchObject([
      {
        kind: 'tool-stuck',
        label: 'claude',
        tags: ['agent=claude'],
        text: expect.stringContaining('it was stopped'),
      },
    ]);
  });

  test('that hangs is only reported by default', async () => {
    const home = ownHome();
    const killOn = path.join(home.path, 'enough');
    const playing = play({ command: 'mkfifo p; cat p', killOn }, quick);
    await until(async () => (await notices()).length > 0, 'a notice');
    fs.writeFileSync(killOn, '');
    const played = await playing;
    expect(played.signal).toBe('SIGKILL');
    expect(hintOf(played)).toContain('It was not stopped');
  });

  test('that serves in the foreground is stopped where that was chosen', async () => {
    const watching = server('require("node:fs").watch(".", () => {});');
    const played = await play({ command: `${watching}; echo "after $?"` }, `${quick} --on-stuck stop`);
    expect(played.output).toBe('up\nafter 143\n');
    expect(hintOf(played)).toMatch(/does not end by itself: node is a service .*unstuck start -- COMMAND/s);
  });

  test.each([
    ['works and then ends', 'sleep 3; echo done'],
    ['is a test with a server inside', `${server('setTimeout(() => process.exit(0), 4000)')} ./test`],
    ['ends its server itself', `timeout 4 ${server()}; true`],
    ['works beside its server and ends it', `${server()} & sleep 3; kill $!; echo done`],
  ])('that %s is left alone', async (_, command) => {
    const played = await play({ command }, `${quick} --on-stuck stop`);
    expect(played).toMatchObject({ code: 0, signal: null, finished: { code: 0, output: '' } });
    expect(await notices()).toEqual([]);
  });

  test('is told from servers of the agent and from what it has in the background', async () => {
    const beside = [
      { command: 'cat', detached: false },
      { command: server(), detached: true },
      { command: 'mkfifo q; cat q', detached: true },
    ];
    const played = await play({ command: 'sleep 3', beside }, `${quick} --on-stuck stop`);
    expect(hintOf(played)).toBeNull();
    expect(await notices()).toEqual([]);
  });
});

describe.concurrent('a hook', () => {
  const run = (input: string) =>
    new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      const args = [cliPath, 'hook', 'event', 'claude'];
      const child = execFile(process.execPath, args, { env: ownHome().env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      });
      child.stdin?.end(input);
    });

  test.each(['', 'no JSON', '[]', '{"hook_event_name":"PreToolUse"}', '"\u0000"'])(
    'that gets %j is silent and succeeds',
    async (input) => {
      expect(await run(input)).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(ownHome().daemonPid).toBeNull();
    },
  );

  test('at the end of a tool starts no daemon', async () => {
    const event = {
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: 'a',
      tool_input: { command: 'ls' },
    };
    expect(await run(JSON.stringify(event))).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(ownHome().daemonPid).toBeNull();
  });

  test('that fails is logged, and the agent does not notice', async () => {
    const home = ownHome();
    fs.mkdirSync(path.join(home.path, 'daemon.sock'));
    const event = {
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_use_id: 'a',
      tool_input: { command: 'ls' },
    };
    fs.chmodSync(home.path, 0o700);
    expect(await run(JSON.stringify(event))).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
