import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BackgroundHome, until } from '../../support/background-home.js';
import { cliPath, runCli } from '../../support/run-cli.js';
import { startRunCli } from '../../support/start-run-cli.js';
import { TerminalWindow } from './attach/attach-terminal.js';

let home: BackgroundHome;

beforeEach(() => {
  home = new BackgroundHome();
});

afterEach(() => home.end());

const clipboard = '\x1b]52;c;ZXZpbA==\x07';
const title = '\x1b]0;evil\x07';
const red = '\x1b[31mred\x1b[0m';

/** A run that has printed what a terminal would obey. */
async function hostileRun(): Promise<string> {
  const script = String.raw`printf 'one \033]52;c;ZXZpbA==\007\033]0;evil\007\033[31mred\033[0m\nlast\n'`;
  const { id } = await home.start(['sh', '-c', script]);
  await home.call('wait', { id, timeoutS: 60, reader: 'test' });
  return id;
}

describe('output of a run', () => {
  test.each([
    ['log', []],
    ['log', ['--follow']],
    ['poll', []],
    ['wait', []],
  ])('%s %j passes only colours to a terminal, and every byte with --raw', async (verb, flags) => {
    const id = await hostileRun();
    const shownBy = async (args: string[]) => {
      const window = new TerminalWindow([verb, id, ...flags, ...args], home.env, false);
      await window.done;
      await until(() => window.shown.includes('last'), 'the output');
      return window.shown;
    };
    const shown = await shownBy([]);
    expect(shown).toContain(`one ${red}`);
    expect(shown).not.toContain('\x1b]');
    expect(await shownBy(['--raw', ...(verb === 'log' ? [] : ['--reader', 'other'])])).toContain(
      `one ${clipboard}${title}${red}`,
    );
  });

  test('to a pipe every byte stays as it is', async () => {
    const id = await hostileRun();
    for (const args of [
      ['log', id],
      ['log', '-f', id],
      ['poll', id],
    ]) {
      expect((await runCli(args, home.env)).stdout, args.join(' ')).toContain(
        `one ${clipboard}${title}${red}`,
      );
    }
  });

  test('as JSON it has no character that a terminal or an editor obeys, and is the same value', async () => {
    const { id } = await home.start(['printf', 'a\u202eb\u009b31mc\u2028d\\n']);
    await home.call('wait', { id, timeoutS: 60, reader: 'test' });
    const treacherous = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
    for (const args of [['log', id], ['poll', id], ['list'], ['wait', id]]) {
      const { stdout } = await runCli([...args, '--json'], home.env);
      expect(stdout).not.toMatch(treacherous);
      if (args[0] === 'log') expect(JSON.parse(stdout).lines[0]).toBe('a\u202eb\u009b31mc\u2028d');
    }
    const { stdout } = await runCli(['run', '--json', '--', 'printf', 'a\u202eb\u009bc'], home.env);
    expect(stdout).not.toMatch(treacherous);
    expect(stdout).toContain('"text":"a\\u202eb\\u009bc"');
  });

  test('so has what the MCP server writes', async () => {
    const child = spawn(process.execPath, [cliPath, 'mcp'], {
      env: home.env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let answers = '';
    child.stdout.on('data', (chunk) => {
      answers += chunk;
    });
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const about = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    send({ id: 1, method: 'initialize', params: about });
    await until(() => answers.includes('"id":1'), 'the first answer');
    send({ method: 'notifications/initialized' });
    const command = ['printf', 'a\u202eb\u009bc'];
    send({ id: 2, method: 'tools/call', params: { name: 'start', arguments: { command, waitS: 20 } } });
    await until(() => answers.includes('"id":2'), 'the second answer');
    child.stdin.end();
    await new Promise((resolve) => child.once('close', resolve));
    expect(answers).not.toMatch(/[\u007f-\u009f\u202a-\u202e]/);
    // Escaped in the text that a model sees, and so again in JSON.
    expect(answers).toContain('a\\\\u202ebc');
  });
});

test('secrets in tags are masked wherever they are stored and printed', async () => {
  const args = ['start', '--json', '--tag', 'token=hunter2hunter2', '--tag', 'plain', '--', 'true'];
  const { id } = JSON.parse((await runCli(args, home.env)).stdout);
  await home.call('wait', { id, timeoutS: 60 });
  const { stdout } = await runCli(['list', '--json'], home.env);
  expect(JSON.parse(stdout).runs[0].tags).toEqual(['token=***', 'plain']);
  const directory = path.join(home.path, 'runs', id);
  for (const name of fs.readdirSync(directory)) {
    const file = path.join(directory, name);
    if (fs.statSync(file).isFile()) expect(fs.readFileSync(file, 'utf8'), name).not.toContain('hunter2');
  }
});

test('a heartbeat prints what a line of the output has, and does not obey it', async () => {
  const go = path.join(home.path, 'go');
  const script = `printf 'a\u202eb\u009bc\\n'; until [ -e "$0" ]; do sleep 0.02; done`;
  const cli = startRunCli(['--heartbeat', '50ms', '--status', 'lines', '--', 'sh', '-c', script, go]);
  await until(() => cli.stderr.includes("line='a\\u202eb"), 'a heartbeat with the line');
  fs.writeFileSync(go, '');
  expect(await cli.done).toBe(0);
  expect(cli.stderr).not.toMatch(/[\u202e\u0080-\u009f]/);
});
