import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parsePlace } from '../../../src/places/parse-place.js';
import { Place } from '../../../src/places/place.js';
import { PlaceSession } from '../../../src/places/session.js';
import { startScript, startThere } from '../../../src/run/place/start-there.js';
import { patienceMs } from '../../support/patience.js';
import { removeDirectory } from '../../support/remove-directory.js';

const id = 'run_00000000003a';

/** A place whose connections go through `gate`, a script that runs its arguments. `setsid`: a script in place of the program. */
function placeBehind(
  gate: string,
  setsid = 'exec /usr/bin/setsid "$@"',
): { directory: string; session: PlaceSession } {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-start-'));
  const script = (name: string, text: string) => {
    const file = path.join(directory, name);
    fs.writeFileSync(file, `#!/bin/sh\ncd ${directory}\n${text}\n`, { mode: 0o755 });
    return file;
  };
  fs.mkdirSync(path.join(directory, 'bin'));
  script('bin/setsid', setsid);
  const file = script('gate', `echo x >>connections\nPATH=$PWD/bin:$PATH\n${gate}`);
  const session = new PlaceSession(new Place(parsePlace(`via:${file} env XDG_STATE_HOME=${directory}`)));
  onTestFinished(async () => {
    session.close();
    // The shim writes how the command ended.
    await removeDirectory(directory);
  });
  return { directory, session };
}

const there = (directory: string, cwd: string | null = null) =>
  ({
    id,
    command: ['sh', '-c', `echo once >>${directory}/started`],
    cwd,
    env: {},
    streams: 1,
    input: 'none',
  }) as const;

async function expectStartedOnce(directory: string, connections: number): Promise<void> {
  const started = path.join(directory, 'started');
  // The file is there before its text.
  const text = () => (fs.existsSync(started) ? fs.readFileSync(started, 'utf8') : '');
  await expect.poll(text, { timeout: patienceMs }).not.toBe('');
  expect(text()).toBe('once\n');
  expect(fs.readFileSync(path.join(directory, 'connections'), 'utf8')).toBe('x\n'.repeat(connections));
}

/** Ends the connection after the first line that begins so. */
const cutAfter = (letter: string) =>
  `"$@" | while read -r l; do printf '%s\\n' "$l"; case $l in '${letter}'*) kill -s KILL 0 ;; esac; done`;

test('a start whose connection breaks is repeated until the place answers', async () => {
  // The first connection ends before the start, and the next ones at once.
  const { directory, session } = placeBehind(`case $(grep -c . connections) in
1) ${cutAfter('h')} ;;
2 | 3 | 4) exit 255 ;;
*) exec "$@" ;;
esac`);
  expect(await startThere(session, there(directory))).toBe(true);
  await expectStartedOnce(directory, 5);
});

test('a start whose answer is lost is not done twice, also when its directory is gone by then', async () => {
  // The end of the connection would end the first shim as long as it has no session of its own.
  const { directory, session } = placeBehind(
    `case $(grep -c . connections) in
1) "$@" | while read -r l; do case $l in 'r '*) rmdir work; kill -s KILL 0 ;; esac; printf '%s\\n' "$l"; done ;;
*) exec "$@" ;;
esac`,
    'sleep 0.5; exec /usr/bin/setsid "$@"',
  );
  const work = path.join(directory, 'work');
  fs.mkdirSync(work);
  expect(await startThere(session, there(directory, work))).toBe(true);
  expect(fs.existsSync(work)).toBe(false);
  await expectStartedOnce(directory, 2);
});

test('a start that has not shown yet when it is repeated is still found', async () => {
  // The first shim has a session of its own, and the connection ends before it makes its claim.
  const { directory, session } = placeBehind(
    `case $(grep -c . connections) in 1) echo $$ >group ;; esac
exec "$@"`,
    `exec /usr/bin/setsid sh -c '
mkdir slow 2>/dev/null && { rmdir work; kill -s KILL -- -$(cat group); sleep 1; }
exec /usr/bin/setsid "$@"' sh "$@"`,
  );
  const work = path.join(directory, 'work');
  fs.mkdirSync(work);
  expect(await startThere(session, there(directory, work))).toBe(true);
  expect(fs.existsSync(work)).toBe(false);
  await expectStartedOnce(directory, 2);
});

test.each([
  ['mkdir', 'has no directory that can be written to: no such luck'],
  ['dd', 'ended the connection before anything ran'],
])('a place without %s is not asked again', async (program, reason) => {
  const { directory, session } = placeBehind('exec "$@"');
  const fails = '#!/bin/sh\necho no such luck >&2\nexit 1\n';
  fs.writeFileSync(path.join(directory, 'bin', program), fails, { mode: 0o755 });
  await expect(startThere(session, there(directory))).rejects.toThrow(reason);
  expect(fs.readFileSync(path.join(directory, 'connections'), 'utf8')).toBe('x\n');
});

test('a start that comes too late is not carried out', async () => {
  const { directory, session } = placeBehind('exec "$@"');
  expect((await session.request(startScript(there(directory), 0))).status).toBe(25);
  expect(fs.existsSync(path.join(directory, 'unstuck/places', id))).toBe(false);
});

test.each([
  ['program', { command: ['unstuck-no-such-program'] }, 'has no program'],
  ['directory', { cwd: '/unstuck-no-such-directory' }, 'has no directory'],
])('a start that is refused for its %s leaves nothing in the place', async (_, wrong, reason) => {
  const { directory, session } = placeBehind('exec "$@"');
  await expect(startThere(session, { ...there(directory), ...wrong })).rejects.toThrow(reason);
  expect(fs.existsSync(path.join(directory, 'unstuck/places', id))).toBe(false);
});

test.each(['', 'busybox '])('variables of the command change nothing else there (%ssh)', async (box) => {
  const { directory, session } = placeBehind(`exec ${box}"$@"`);
  const env = { PATH: '/nothing', IFS: '0123456789/', BLOCK_SIZE: '1K', HOME: '/nothing' };
  const command = [process.execPath, '-e', 'console.log("x".repeat(3000), process.env.PATH)'];
  expect(await startThere(session, { ...there(directory, '/'), command, env })).toBe(true);
  let text = '';
  const ended = new Promise<string[]>((resolve) => {
    session.watch({
      id,
      offsets: () => [text.length],
      output: (_, at, bytes) => {
        text = text.slice(0, at) + bytes.toString();
      },
      state: (fields) => fields[3] !== '-' && resolve(fields),
      reachable: () => {},
    });
  });
  expect((await ended)[3]).toBe('0');
  expect(text).toBe(`${'x'.repeat(3000)} /nothing\n`);
});

test.each(['dash', 'bash', 'busybox sh'])('a command there ignores no signal (%s)', async (shell) => {
  const { directory, session } = placeBehind(`ln -sf "$(command -v ${shell.split(' ')[0]})" bin/sh
shift 2
XDG_STATE_HOME=$PWD exec "$@"`);
  const file = path.join(directory, 'ignored');
  const command = ['sh', '-c', `grep SigIgn /proc/self/status >${file}.new; mv ${file}.new ${file}`];
  expect(await startThere(session, { ...there(directory), command })).toBe(true);
  await expect.poll(() => fs.existsSync(file), { timeout: patienceMs }).toBe(true);
  const ignored = Number.parseInt(fs.readFileSync(file, 'utf8').split('\t')[1] ?? '', 16);
  const [interrupt, quit] = [1 << 1, 1 << 2];
  expect(ignored & (interrupt | quit)).toBe(0);
});
