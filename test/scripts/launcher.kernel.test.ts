import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildInputs } from '../../scripts/build-stamp.mjs';
import { patienceMs } from '../support/patience.js';
import { removeDirectory } from '../support/remove-directory.js';

const repository = resolve(import.meta.dirname, '../..');
const isRoot = process.getuid?.() === 0;

/** Stands in for npm: counts its calls, takes a moment, and leaves what a real install would. */
const fakeNpm = `#!/bin/sh
echo "$@" >>npm-calls
rm -rf node_modules
mkdir node_modules
sleep 0.3
while [ -e hold ]; do sleep 0.05; done
ln -s '${repository}/node_modules/esbuild' '${repository}/node_modules/@esbuild' node_modules
echo '{"packages":{}}' >node_modules/.package-lock.json
`;

let base: string;
let checkout: string;
let bin: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'unstuck-launcher-'));
  checkout = join(base, 'a checkout');
  bin = join(base, 'bin');
  for (const command of ['run', 'mcp', 'hook', 'daemon'])
    mkdirSync(join(checkout, 'src/cli/commands', command), { recursive: true });
  mkdirSync(bin);
  for (const name of ['unstuck', 'scripts', 'package.json']) {
    cpSync(join(repository, name), join(checkout, name), { recursive: true });
  }
  writeFileSync(join(checkout, 'package-lock.json'), '{"packages":{"":{}}}');
  writeFileSync(join(checkout, 'src/index.ts'), 'export {};\n');
  for (const name of ['program', 'commands/mcp/main', 'commands/hook/main', 'commands/daemon/daemon-run'])
    writeFileSync(join(checkout, `src/cli/${name}.ts`), 'export {};\n');
  writeFileSync(
    join(checkout, 'src/cli/commands/run/main.ts'),
    "export const later = () => import('../../../index.js');\n",
  );
  mkdirSync(join(checkout, 'web'));
  for (const name of ['main.tsx', 'style.css', 'icon.svg', 'index.html'])
    writeFileSync(join(checkout, 'web', name), '');
  writeMain('first');
  symlinkSync(process.execPath, join(bin, 'node'));
  writeProgram('npm', fakeNpm);
});

afterEach(async () => {
  chmodSync(checkout, 0o755);
  await removeDirectory(base);
});

function writeMain(word: string) {
  const code = `console.log('${word}', __UNSTUCK_VERSION__, JSON.stringify(process.argv.slice(2)));\n`;
  writeFileSync(join(checkout, 'src/cli/main.ts'), code);
}

function writeProgram(name: string, script: string) {
  rmSync(join(bin, name), { force: true });
  writeFileSync(join(bin, name), script, { mode: 0o755 });
}

async function launch(
  args: string[] = [],
  command = join(checkout, 'unstuck'),
  options: SpawnOptions = {},
  onStderr: (chunk: Buffer) => void = () => {},
) {
  const env = { ...process.env, PATH: `${bin}:/usr/bin:/bin`, ...options.env };
  const child = spawn(command, args, { cwd: base, ...options, env, stdio: ['ignore', 'pipe', 'pipe'] });
  if (!child.stdout || !child.stderr) throw new Error('no pipes');
  child.stderr.on('data', onStderr);
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, exitCode };
}

const { version, engines } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const output = (word: string, args: string[] = []) => `${word} ${version} ${JSON.stringify(args)}\n`;
const npmCalls = () => readFileSync(join(checkout, 'npm-calls'), 'utf8').trim().split('\n').length;

test('first use sets up and reports it; later uses are quiet', async () => {
  const first = await launch(['a b', '--c']);
  expect(first).toMatchObject({ exitCode: 0, stdout: output('first', ['a b', '--c']) });
  expect(first.stderr).toMatch(/first use: installing.*\n.*first use: building.*\n.*ready/);
  expect(await launch()).toEqual({ exitCode: 0, stdout: output('first'), stderr: '' });
  expect(npmCalls()).toBe(1);
});

test('through a chain of links, from anywhere', async () => {
  symlinkSync(join(checkout, 'unstuck'), join(base, 'one'));
  symlinkSync('../one', join(bin, 'two'));
  expect(await launch([], join(bin, 'two'), { cwd: '/' })).toMatchObject({ stdout: output('first') });
});

test('a command that asks no fleet starts Node without the extra certificates, which it would read', async () => {
  const code = 'console.log(process.env.NODE_EXTRA_CA_CERTS, process.env.UNSTUCK_HELD_CERTS);\n';
  writeFileSync(join(checkout, 'src/cli/main.ts'), code);
  const seen = async (words: string, env = {}) => {
    const options = { env: { NODE_EXTRA_CA_CERTS: '/no/file', ...env } };
    return (await launch(words.split(' '), undefined, options)).stdout;
  };
  for (const held of ['run', 'run a/b', 'why 4371', 'ps --json', 'log api -f', 'wait 7c1e']) {
    expect(await seen(held)).toBe('undefined /no/file\n');
  }
  for (const kept of [
    'start',
    'why build1/7c1e',
    'ps --fleet',
    'list --host build1',
    'daemon run',
    'queue ls',
  ]) {
    expect(await seen(kept)).toBe('/no/file undefined\n');
  }
  expect(await seen('run', { NODE_OPTIONS: '--no-warnings' })).toBe('/no/file undefined\n');
});

test('two first uses at once install once', async () => {
  // The first one sets up until the others are there.
  const hold = join(checkout, 'hold');
  writeFileSync(hold, '');
  let waiting = 0;
  const onStderr = (chunk: Buffer) => {
    if (String(chunk).includes('waiting')) waiting += 1;
    if (waiting === 2) rmSync(hold, { force: true });
  };
  const results = await Promise.all([1, 2, 3].map(() => launch([], undefined, {}, onStderr)));
  for (const result of results) expect(result).toMatchObject({ exitCode: 0, stdout: output('first') });
  expect(npmCalls()).toBe(1);
  expect(results.filter(({ stderr }) => stderr.includes('waiting'))).toHaveLength(2);
});

test('a changed source is built, a touched source is not', async () => {
  await launch();
  writeMain('second');
  const changed = await launch();
  expect(changed).toMatchObject({ stdout: output('second') });
  expect(changed.stderr).toMatch(/sources changed: building/);
  const soon = Date.now() / 1000 + 3600;
  utimesSync(join(checkout, 'src/cli/main.ts'), soon, soon);
  expect(await launch()).toEqual({ exitCode: 0, stdout: output('second'), stderr: '' });
  expect(npmCalls()).toBe(1);
});

test('a set-up that was killed is taken over', async () => {
  const lock = join(checkout, '.unstuck-setup.lock');
  mkdirSync(join(checkout, 'node_modules'));
  mkdirSync(lock);
  writeFileSync(join(lock, 'holders.json'), JSON.stringify([{ pid: process.pid, startTime: '1' }]));
  const result = await launch();
  expect(result).toMatchObject({ exitCode: 0, stdout: output('first') });
  expect(result.stderr).not.toMatch(/waiting/);
  expect(existsSync(lock)).toBe(false);
});

test('Ctrl-C stops npm too, and the next call recovers', async () => {
  writeProgram('npm', `#!/bin/sh\necho $$ >npm-pid\nmkdir node_modules\nexec sleep 600\n`);
  const child = spawn(join(checkout, 'unstuck'), {
    env: { ...process.env, PATH: `${bin}:/usr/bin:/bin` },
    detached: true,
  });
  const ended = once(child, 'close');
  // There is a moment in which the file is empty.
  const npmPid = () => {
    const file = join(checkout, 'npm-pid');
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  };
  await expect.poll(npmPid, { timeout: patienceMs }).not.toBe('');
  process.kill(-Number(child.pid), 'SIGINT');
  await ended;
  // Its parent, or that of its parent, has to collect it.
  await expect.poll(() => existsSync(`/proc/${npmPid()}`), { timeout: patienceMs }).toBe(false);
  writeProgram('npm', fakeNpm);
  expect(await launch()).toMatchObject({ exitCode: 0, stdout: output('first') });
});

describe('a missing tool is an error, with what to do', () => {
  test('node', async () => {
    const result = await launch([], undefined, { env: { PATH: base } });
    expect(result).toMatchObject({ exitCode: 125, stdout: '' });
    expect(result.stderr).toMatch(/^unstuck: Node.js was not found.*\nhint: install Node.js 20\.19 or newer/);
  });

  test.each(['v18.20.4', 'v20.18.3'])('node %s is too old', async (old) => {
    writeProgram('node', `#!/bin/sh\necho ${old}\n`);
    const result = await launch();
    expect(result).toMatchObject({ exitCode: 125, stdout: '' });
    expect(result.stderr).toContain(`Node.js ${old} is too old`);
  });

  test('npm', async () => {
    rmSync(join(bin, 'npm'));
    symlinkSync('/usr/bin/find', join(bin, 'find'));
    const result = await launch([], undefined, { env: { PATH: bin } });
    expect(result.exitCode).toBe(125);
    expect(result.stderr).toMatch(/npm was not found on the PATH\nhint: install npm/);
  });

  test('the network', async () => {
    writeProgram('npm', '#!/bin/sh\necho npm error code EAI_AGAIN >&2\nexit 1\n');
    const result = await launch();
    expect(result.exitCode).toBe(125);
    expect(result.stderr).toMatch(
      /npm error code EAI_AGAIN\n.*registry is out of reach\nhint: connect to the network/,
    );
  });

  test.skipIf(isRoot)('permission to write', async () => {
    chmodSync(checkout, 0o555);
    const result = await launch();
    expect(result.exitCode).toBe(125);
    expect(result.stderr).toMatch(/not writable\nhint: run it once as the owner/);
  });
});

test.skipIf(isRoot)(
  'a built checkout without permission to write works, even with newer sources',
  async () => {
    await launch();
    writeMain('second');
    for (const path of ['dist/.stamp', 'dist', '']) chmodSync(join(checkout, path), 0o555);
    const result = await launch();
    chmodSync(join(checkout, 'dist'), 0o755);
    expect(result).toMatchObject({ exitCode: 0, stdout: output('first') });
    expect(result.stderr).toMatch(/using the old build/);
  },
);

test('the checkout part of the launcher repeats what is written elsewhere', () => {
  const launcher = readFileSync(join(repository, 'scripts/build-if-needed.sh'), 'utf8');
  const listed = [...launcher.matchAll(/"\$us_root\/([\w./-]+)"/g)].map(([, path]) => path);
  expect(listed.filter((path) => path && !path.startsWith('dist/') && path !== 'scripts/setup.mjs')).toEqual(
    buildInputs,
  );
  expect(engines.node).toBe('>=20.19');
  expect(launcher).toContain('"$us_major" -eq 20 ] && [ "$us_minor" -lt 19');
});
