import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { parsePlace } from '../../src/places/parse-place.js';
import { Place } from '../../src/places/place.js';
import { PlaceSession } from '../../src/places/session.js';
import { patienceMs } from '../support/patience.js';
import { removeDirectory } from '../support/remove-directory.js';

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-session-'));

/** A place on a busy machine may take long to answer. */
function newSession(place: string): PlaceSession {
  const env = { ...process.env, UNSTUCK_PLACE_TIMEOUT: `${patienceMs / 1000}s` };
  return new PlaceSession(new Place(parsePlace(place), env));
}

const session = newSession(`via:env XDG_STATE_HOME=${home}`);
afterAll(async () => {
  session.close();
  // What the sessions started ends a moment later.
  await removeDirectory(home);
});

test('files of a run are removed unless its shim lives, whatever digits the start times have', async () => {
  const remove = async (id: string, startTicks: string) => {
    const directory = path.join(home, 'unstuck/places', id);
    fs.mkdirSync(directory, { recursive: true });
    const own = fs.readFileSync('/proc/self/stat', 'utf8');
    const fields = own.slice(own.lastIndexOf(')') + 2).split(' ');
    if (startTicks !== '') fields[19] = startTicks;
    fs.writeFileSync(path.join(directory, 'claim'), `${process.pid} (sh) ${fields.join(' ')}`);
    fs.writeFileSync(path.join(directory, 'boot'), fs.readFileSync('/proc/sys/kernel/random/boot_id'));
    const { status } = await session.request(`up_remove ${id}`);
    return { status, isThere: fs.existsSync(directory) };
  };
  expect(await remove('run_00000000000a', '')).toEqual({ status: 5, isThere: true });
  expect(await remove('run_00000000000b', '1')).toEqual({ status: 0, isThere: false });
  expect(await remove('run_00000000000c', '1154048')).toEqual({ status: 0, isThere: false });
  expect(await remove('run_00000000000d', '9154048')).toEqual({ status: 0, isThere: false });
});

test('a process of a run is found and signalled, whatever its name contains', async () => {
  const names = ['a\nb', '\n1 (c', 'd) S 1 1 1\n', 'e) *'];
  const env = { PATH: process.env.PATH, UNSTUCK_RUN_ID: 'run_00000000000e' };
  const children = names.map((name) => {
    const file = path.join(home, name);
    fs.symlinkSync('/bin/sleep', file);
    return spawn(file, ['1238'], { env, stdio: 'ignore' });
  });
  const ends = children.map((child) => new Promise((resolve) => child.once('exit', (_, by) => resolve(by))));
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  const { text } = await session.request('up_later up_stop run_00000000000e 600', patienceMs);
  for (const { pid } of children) expect(text).toMatch(new RegExp(`^process ${pid}:\\d+ ended TERM$`, 'm'));
  expect(text).not.toMatch(/^process 1:/m);
  expect(await Promise.all(ends)).toEqual(names.map(() => 'SIGTERM'));
});

test.skipIf(process.getuid?.() !== 0)(
  "a directory of another user is not used, and nothing is written to it (as root: it needs that user's files)",
  async () => {
    const bin = fs.mkdtempSync(path.join(home, 'bin-'));
    const uid = path.basename(bin);
    fs.writeFileSync(path.join(bin, 'id'), `#!/bin/sh\necho ${uid}\n`, { mode: 0o755 });
    const [foreign, own] = ['/tmp', '/var/tmp'].map((base) => `${base}/unstuck-places-${uid}`) as [
      string,
      string,
    ];
    fs.mkdirSync(foreign, { mode: 0o777 });
    fs.chmodSync(foreign, 0o777);
    fs.chownSync(foreign, 65534, 65534);
    const env = `env -u XDG_STATE_HOME HOME=/proc PATH=${bin}:/usr/bin:/bin`;
    const other = newSession(`via:${env}`);
    onTestFinished(async () => {
      other.close();
      for (const directory of [foreign, own]) await removeDirectory(directory);
    });
    // A run that the other user pretends.
    fs.mkdirSync(`${foreign}/run_0000000000ff`);
    const { text, status } = await other.request('echo "$up_home"; up_dir_of run_0000000000ff');
    expect({ text, status }).toEqual({ text: own, status: 1 });
    expect(fs.readdirSync(foreign)).toEqual(['run_0000000000ff']);
    expect(fs.statSync(own).mode & 0o777).toBe(0o700);
  },
);

test('a place that says hello without end is left, and nothing else has to wait for it', async () => {
  const gate = path.join(home, 'greeter');
  const greets = `while read -r l; do printf '%s\\n' "$l"; case $l in h) exec yes h ;; esac; done`;
  fs.writeFileSync(gate, `#!/bin/sh\n"$@" | ${greets}\n`, { mode: 0o755 });
  const other = newSession(`via:${gate} env XDG_STATE_HOME=${home}`);
  onTestFinished(() => other.close());
  const heard: (string | null)[] = [];
  other.watch({
    id: 'run_00000000002e',
    offsets: () => [0],
    output() {},
    state() {},
    reachable: (failure) => heard.push(failure?.message ?? null),
  });
  await expect.poll(() => heard.length, { timeout: patienceMs }).toBeGreaterThan(1);
  other.close();
  expect(heard.slice(0, 2)).toEqual([null, expect.stringContaining('a session begins twice')]);
});

/** As with sshd, the pipes of the shell lead to a process that ends. */
function distantSession(): PlaceSession {
  const client = path.join(home, 'client');
  fs.writeFileSync(client, '#!/bin/sh\nsetsid "$@" | cat\n', { mode: 0o755 });
  const other = newSession(`via:${client} env XDG_STATE_HOME=${home}`);
  onTestFinished(() => other.close());
  return other;
}

async function expectEnd(pids: string[]): Promise<void> {
  const left = () => pids.filter((pid) => fs.existsSync(`/proc/${pid}`));
  onTestFinished(() => left().forEach((pid) => void process.kill(Number(pid), 'SIGKILL')));
  await expect.poll(left, { timeout: patienceMs / 4 }).toEqual([]);
}

const until = (file: string) => `while [ ! -e ${file} ]; do sleep 0.02; done`;

test('no process of a session outlives its connection, also when one sends and another waits for it', async () => {
  const other = distantSession();
  const cut = path.join(home, 'cut');
  const sends = `exec >/dev/null 2>&1; up_lock; : >${cut}.sends; ${until(cut)}; printf 1 >&9; up_unlock`;
  const asked = other.request(`{ ${sends}; } & echo $! $$ >${cut}.pids; ${until(`${cut}.sends`)}`);
  asked.catch(() => {});
  await expect.poll(() => fs.existsSync(`${cut}.sends`), { timeout: patienceMs }).toBe(true);
  // The one that sends may be ahead of the one that notes the two.
  const noted = () => (fs.existsSync(`${cut}.pids`) ? fs.readFileSync(`${cut}.pids`, 'utf8') : '');
  await expect.poll(noted, { timeout: patienceMs }).toMatch(/^\d+ \d+\n$/);
  const pids = noted().trim().split(' ');
  other.close();
  fs.writeFileSync(cut, '');
  await expectEnd(pids);
});

test.each([
  ['connection', 'ends'],
  ['shell', 'is killed'],
])('no process of a session is left when one was killed while it sent, and the %s %s', async (part) => {
  const other = distantSession();
  const id = 'run_00000000002c';
  const file = path.join(home, `killed-${part}`);
  const holds = `exec >/dev/null 2>&1; up_lock; : >${file}.holds; exec sleep 1240`;
  const script = `up_make ${id} output.log
{ ${holds}; } & ${until(`${file}.holds`)}; kill -s KILL $!
echo more >>"$up_dir/output.log"
up_watch ${id} 0
up_follower=; while [ -z "$up_follower" ]; do read -r up_follower up_x <"$up_own_file"; done
echo $$ $up_follower $up_tmp`;
  // It gets no answer, because the right to send is lost.
  const asked = other.request(`(${script}) >${file}.new; mv ${file}.new ${file}`);
  asked.catch(() => {});
  await expect.poll(() => fs.existsSync(file), { timeout: patienceMs }).toBe(true);
  const [shell = '', follower = '', directory = ''] = fs.readFileSync(file, 'utf8').trim().split(' ');
  if (part === 'connection') other.close();
  else process.kill(Number(shell), 'SIGKILL');
  await expectEnd([shell, follower]);
  await expect.poll(() => fs.existsSync(directory), { timeout: patienceMs / 4 }).toBe(false);
});

test('when the shell is killed while a process sends, no other process begins to send', async () => {
  const other = distantSession();
  const file = path.join(home, 'two');
  const sends = `exec >/dev/null 2>&1; up_lock; : >${file}.sends; ${until(`${file}.cut`)}`;
  const waits = `exec >/dev/null 2>&1; up_lock; : >${file}.mixed; up_unlock`;
  const script = `{ ${sends}; } & up_first=$!; ${until(`${file}.sends`)}; { ${waits}; } & echo $$ $up_first $!`;
  // It gets no answer, because the first process keeps the right to send.
  const asked = other.request(`(${script}) >${file}.new; mv ${file}.new ${file}`);
  asked.catch(() => {});
  await expect.poll(() => fs.existsSync(file), { timeout: patienceMs }).toBe(true);
  const [shell = '', sender = '', waiter = ''] = fs.readFileSync(file, 'utf8').trim().split(' ');
  onTestFinished(() => fs.writeFileSync(`${file}.cut`, ''));
  process.kill(Number(shell), 'SIGKILL');
  await expectEnd([waiter]);
  expect(fs.existsSync(`/proc/${sender}`)).toBe(true);
  expect(fs.existsSync(`${file}.mixed`)).toBe(false);
});

/** Before, a signal would end it. */
async function untilListening(follower: number): Promise<void> {
  const wanted =
    (1n << BigInt(os.constants.signals.SIGUSR1 - 1)) | (1n << BigInt(os.constants.signals.SIGUSR2 - 1));
  const caught = () => {
    const [, mask = '0'] =
      /^SigCgt:\t(\w+)$/m.exec(fs.readFileSync(`/proc/${follower}/status`, 'utf8')) ?? [];
    return BigInt(`0x${mask}`) & wanted;
  };
  await expect.poll(caught, { timeout: patienceMs }).toBe(wanted);
}

test('a follower that was put in the place of another is missed when it is killed', async () => {
  const id = 'run_00000000002a';
  await session.request(`up_make ${id} output.log; up_watch ${id} 0`);
  const pids = async () => {
    const { text } = await session.request(`cat "$up_tmp/follower.${id}".*`);
    return text.split('\n').map((line) => Number(line.split(' ')[0]));
  };
  const [first] = await pids();
  await untilListening(first ?? -1);
  await session.request(`up_watch ${id} 0`);
  await expect.poll(() => fs.existsSync(`/proc/${first}`), { timeout: patienceMs }).toBe(false);
  await expect.poll(async () => (await pids()).length, { timeout: patienceMs }).toBe(1);
  expect((await session.request('up_check')).status).toBe(0);
  process.kill((await pids())[0] ?? 0, 'SIGKILL');
  await expect.poll(async () => (await session.request('up_check')).status, { timeout: patienceMs }).toBe(1);
});

test('a state is sent again when that is wanted: it may have been lost', async () => {
  const id = 'run_00000000002d';
  await session.request(`up_make ${id} output.log`);
  let states = 0;
  const unwatch = session.watch({
    id,
    offsets: () => [0],
    output() {},
    state() {
      states += 1;
    },
    reachable() {},
  });
  onTestFinished(unwatch);
  await expect.poll(() => states, { timeout: patienceMs }).toBe(1);
  session.poke(id);
  await expect.poll(() => states, { timeout: patienceMs / 4 }).toBe(2);
});

test('a process that got the number of a killed follower is not signalled', async () => {
  const id = 'run_00000000002b';
  const child = spawn('sleep', ['1239'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await session.request(`echo '${child.pid} 1' >"$up_tmp/follower.${id}.1"`);
  expect((await session.request(`up_wake ${id} USR1; up_check`)).status).toBe(1);
  await session.request(`rm "$up_tmp/follower.${id}.1"`);
  expect(child.kill('SIGTERM')).toBe(true);
  expect(await new Promise((resolve) => child.once('exit', (_, by) => resolve(by)))).toBe('SIGTERM');
});

test('what a session of the same number left behind is not in the way', async () => {
  const left = `${home}/unstuck/places/.session.`;
  const gate = path.join(home, 'gate');
  fs.writeFileSync(gate, `#!/bin/sh\nmkdir -p ${left}$$; mkfifo ${left}$$/lock\nexec "$@"\n`, {
    mode: 0o755,
  });
  const other = newSession(`via:${gate} env XDG_STATE_HOME=${home}`);
  onTestFinished(() => other.close());
  expect((await other.request('echo "$up_tmp"')).text).toMatch(/places\/\.session\.\d+$/);
});

/** A mount namespace of its own, with other file systems at every place where a session may write. */
const unshare = process.getuid?.() === 0 ? 'unshare -m' : 'unshare -Urm';
const canUnshare = spawnSync('sh', ['-c', `${unshare} true`]).status === 0;

test.skipIf(!canUnshare).each([
  ['is read-only', '-o ro', 'Read-only file system'],
  ['is full', '-o size=4k,nr_inodes=1', 'No space left on device'],
])('a place whose file system %s is refused with the reason', async (_, options, reason) => {
  const gate = path.join(home, `gate-${options.length}`);
  const mounts = ['/tmp', '/var/tmp', '/dev/shm'].map((at) => `mount -t tmpfs ${options} none ${at}`);
  const inside = [...mounts, 'exec "$@"'].join('; ');
  fs.writeFileSync(gate, `#!/bin/sh\nexec ${unshare} sh -c '${inside}' sh "$@"\n`, { mode: 0o755 });
  const other = newSession(`via:${gate} env -u XDG_STATE_HOME HOME=/tmp/home`);
  onTestFinished(() => other.close());
  await expect(other.request('true')).rejects.toThrow(
    new RegExp(`has no directory that can be written to: .*${reason}`),
  );
});

test('a request is sent as it is, whatever its words are', async () => {
  const words = '@ID@ @MARK@ @FUNCTIONS@ $& $1';
  expect(await session.request(`printf %s '${words}'`)).toMatchObject({ status: 0, text: words });
  expect(await session.request(`up_later printf %s '${words}'`)).toMatchObject({ status: 0, text: words });
});
