import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BackgroundHome } from '../support/background-home.js';
import { findTool, fixturePath } from '../support/find-tool.js';
import type { Consumer } from './packed.js';

const shells = ['dash', 'bash', 'busybox'].filter((name) => findTool(name) !== null);

const initialize = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})}\n`;

/** The command `unstuck` as npm installs it. */
export function testCommand(consumer: () => Consumer): void {
  let home: BackgroundHome;
  const place = (name: string) => path.join(consumer().path, name);
  const installed = () => place('node_modules/.bin/unstuck');
  const withShell = (name: string) => [name, ...(name === 'busybox' ? ['sh'] : []), installed()];

  beforeAll(() => {
    home = new BackgroundHome();
    const global = ['--global', '--prefix', 'all users', '--ignore-scripts'];
    consumer().npm('install', ...global, './node_modules/unstuck');
    fs.symlinkSync('node_modules/.bin/unstuck', place('a link'));
    fs.mkdirSync(place('only node'));
    fs.symlinkSync(process.execPath, place('only node/node'));
  });
  afterAll(() => home?.end());

  /** What a script for bash prints with these words as "$@". */
  async function printed(script: string, words: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { stdout } = await promisify(execFile)('/bin/bash', ['-c', script, 'bash', ...words], {
      cwd: consumer().path,
      env: { ...home.env, UNSTUCK_QUIET_ENV: 'false', ...env },
    });
    return stdout;
  }

  test.each([
    ['in a project', () => [installed()]],
    ['from all users', () => [place('all users/bin/unstuck')]],
    ['by a relative link', () => ['./a link']],
    ...shells.map((name): [string, () => string[]] => [`with ${name} as sh`, () => withShell(name)]),
  ])('passes on descriptors, ignored signals, limits and variables, installed %s', async (_name, command) => {
    const print = 'cat <&3; cat <&12; grep ^SigIgn /proc/self/status; ulimit -Sn; env | grep ^a.b=';
    const script = `trap '' USR1; "$@" bash -c '${print}' 3<<<three 12<<<twelve`;
    const env = { 'a.b': 'a name that shells drop' };
    const plain = await printed(script, [], env);
    expect(plain).toMatch(/^three\ntwelve\nSigIgn:\t[0-9a-f]*[2367abef]..\n\d+\na\.b=a name/);
    expect(await printed(script, [...command(), 'run', '--'], env)).toBe(plain);
  });

  test.each(shells)('does not take the SIGQUIT that a shell ignores for the caller (%s)', async (name) => {
    const words = [...withShell(name), 'run', '--'];
    const masks = 'grep ^SigIgn /proc/self/status';
    for (const prefix of ['env --default-signal', 'env --default-signal --ignore-signal=QUIT']) {
      const script = `${prefix} "$@" ${masks}`;
      expect(await printed(script, words), prefix).toBe(await printed(script, []));
    }
  });

  test.each(shells)('leaves stdin, stdout and stderr closed where they were (%s)', async (name) => {
    const words = [...withShell(name), 'run', '--'];
    for (const fd of [0, 1, 2]) {
      const script = `"$@" sh -c '[ -e /proc/self/fd/${fd} ] || echo closed >file' ${fd}>&-; cat file; rm file`;
      expect(await printed(script, words), `descriptor ${fd}`).toBe('closed\n');
    }
  });

  test('runs through npx', async () => {
    expect(await printed('npx --offline unstuck run -- echo "two  words"', [])).toBe('two  words\n');
  });

  test('starts a daemon, and UNSTUCK_CLI may name it', async () => {
    expect(await printed('"$@" start -- true', [installed()], { UNSTUCK_CLI: installed() })).toMatch(/\w/);
    expect(home.daemonPid).toBeGreaterThan(0);
  });

  test.each([
    ['in a project', () => ''],
    ['in a project, through npx', () => `${path.dirname(installed())}:`],
    ['from all users', () => `${place('all users/bin')}:`],
  ])('prints a configuration that an agent can start, installed %s', async (_name, before) => {
    const PATH = before() + fixturePath;
    const config = JSON.parse(await printed('"$@" mcp --print-config claude', [installed()], { PATH }));
    const { command, args } = config.mcpServers.unstuck;
    // Only npx has this directory in its PATH.
    const agentPath = PATH.split(':').filter((directory) => !directory.endsWith('node_modules/.bin'));
    const env = { ...home.env, PATH: agentPath.join(':') };
    const answer = execFileSync(command, args, { env, input: initialize, encoding: 'utf8' });
    const [line = ''] = answer.split('\n');
    expect(JSON.parse(line)).toMatchObject({ result: { serverInfo: { name: 'unstuck' } } });
  });

  test.each([
    ['node', '/nonexistent', /^unstuck: Node\.js was not found on the PATH\nhint: install Node\.js 20\.19/],
    ['readlink', 'only node', /^unstuck: cannot read the link .*\nhint: add the directory of readlink/],
  ])('reports what to do where the PATH has no %s', async (_tool, directory, message) => {
    const PATH = path.resolve(consumer().path, directory);
    const output = await printed('"$@" run -- true 2>&1; echo "code $?"', [installed()], { PATH });
    expect(output.replace(/^.*readlink: .*\n/, '')).toMatch(message);
    expect(output).toMatch(/code 125\n$/);
  });
}
