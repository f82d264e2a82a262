import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inherited, ownHome, until } from '../../support/background-home.js';
import {
  type Container,
  noDocker,
  noPodman,
  serveDocker,
  standInKubectl,
  startContainer,
} from '../../support/podman-container.js';
import { removeDirectory } from '../../support/remove-directory.js';
import { noSshd, type SshHost, startSshHost } from '../../support/ssh-host.js';
import { crashRun, leftIn, victims } from './crash.js';

function viaPlace(directory: string, shell: 'dash' | 'bash' | 'busybox'): string | null {
  const file = [`/bin/${shell}`, `/usr/bin/${shell}`].find((one) => fs.existsSync(one));
  if (file === undefined) return null;
  const bin = path.join(directory, shell);
  fs.mkdirSync(bin);
  fs.symlinkSync(file, path.join(bin, 'sh'));
  const tools = [
    'dd',
    'tail',
    'head',
    'ls',
    'mkfifo',
    'grep',
    'tr',
    'cat',
    'setsid',
    'sleep',
    'date',
    'id',
    'rm',
    'chmod',
    'mkdir',
    'uname',
  ];
  // With busybox, its own programs do the work too.
  for (const tool of shell === 'busybox' ? tools : []) fs.symlinkSync(file, path.join(bin, tool));
  return `via:env HOME=${directory}/home PATH=${bin}:/usr/bin:/bin`;
}

describe.concurrent.each(['dash', 'bash', 'busybox'] as const)('a run below %s', (shell) => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-via-'));
  const on = viaPlace(directory, shell);
  afterAll(() => removeDirectory(directory));
  const places = path.join(directory, 'home/.local/state/unstuck/places');

  test.skipIf(on === null)('has its output, its exit code and its directory there', async () => {
    const home = ownHome();
    const line = 'echo out; echo err >&2; printf "%s|" "$A" "$@"; exit 3';
    const command = ['sh', '-c', line, 'x', "it's", 'a b', ''];
    const {
      id,
      on: where,
      log,
    } = await home.start(command, { on: on as string, cwd: '/', env: { A: 'x y\n"' } });
    expect(where).toBe(on);
    await until(async () => (await home.call('poll', { id })).status === 'exited', 'its end');
    expect((await home.call('poll', { id, reader: 'b' })).exit).toMatchObject({
      code: 3,
      provenance: 'recorded',
    });
    const { logStart } = await home.call('inspect', { id });
    expect(fs.readFileSync(log, 'utf8').slice(logStart)).toBe(`out\nerr\nx y\n"|it's|a b||`);
    // Of this run: the daemon of a test beside this one ends with it, and may leave files there.
    await until(() => !fs.readdirSync(places).includes(id), 'the files there are removed');
  });

  test.skipIf(on === null)('gets its input byte for byte, and the end of it', async () => {
    const home = ownHome();
    const { id, log } = await home.start(['cat'], { on: on as string, cwd: '/', input: 'pipe' });
    const bytes = Buffer.from(Array.from({ length: 6000 }, (_, at) => (at * 7) % 256));
    await home.call('write', { id, data: bytes.toString('base64'), encoding: 'base64' } as never);
    await home.call('write', { id, data: 'more' });
    await home.call('close', { id });
    await until(async () => (await home.call('poll', { id })).status === 'exited', 'its end');
    const { logStart } = await home.call('inspect', { id });
    expect(fs.readFileSync(log).subarray(logStart)).toEqual(Buffer.concat([bytes, Buffer.from('more')]));
  });

  test.skipIf(on === null)(
    'is killed with everything it started, also what ignores the request',
    async () => {
      const home = ownHome();
      const line = `trap '' TERM; setsid sh -c 'sleep 1234' & (sleep 1235 &) ; sleep 1236 & echo ready; while :; do sleep 1; done`;
      const { id } = await home.start(['sh', '-c', line], { on: on as string, cwd: '/' });
      await until(async () => (await home.call('log', { id })).lines.includes('ready'), 'ready');
      const { receipt, exit } = await home.call('kill', { id, graceS: 0.2 });
      expect(receipt?.survivors).toEqual([]);
      expect(receipt?.processes.length).toBeGreaterThanOrEqual(4);
      // bash does not name the signal here, so only the code is known.
      expect(exit?.code).toBe(137);
      for (const { pid, startTicks } of receipt?.processes ?? [])
        expect(isThere(pid, startTicks)).toBe(false);
    },
  );
});

const without = noPodman();
describe.skipIf(without !== null)(`a run in a container${without === null ? '' : ` (${without})`}`, () => {
  let container: Container;
  beforeAll(() => {
    container = startContainer(['sleep', '100000']);
  });
  afterAll(() => container?.close());

  const there = (env: NodeJS.ProcessEnv) => ({
    cwd: '/',
    inherit: inherited({ ...process.env, ...container.env, ...env }),
  });

  async function hasItsOutput(on: string, env: NodeJS.ProcessEnv) {
    const home = ownHome();
    const { id } = await home.start(['sh', '-c', 'echo inside; exit 4'], { on, ...there(env) });
    await until(async () => (await home.call('poll', { id })).status === 'exited', 'its end');
    expect((await home.call('poll', { id })).exit).toMatchObject({ code: 4, provenance: 'recorded' });
    expect((await home.call('log', { id })).lines).toEqual(['inside']);
    const sleeping = await home.start(['sleep', '1236'], { on, ...there(env) });
    const { receipt } = await home.call('kill', { id: sleeping.id });
    expect(receipt).toMatchObject({ survivors: [], processes: [{ result: 'ended' }] });
  }

  test('has its output and its exit code, and is killed inside', () =>
    hasItsOutput(`podman:${container.name}`, {}));

  const noClient = noDocker();
  test.skipIf(noClient !== null)(
    `the same through docker${noClient === null ? '' : ` (${noClient})`}`,
    async () => {
      const docker = await serveDocker(container);
      try {
        await hasItsOutput(`docker:${container.name}`, docker.env);
      } finally {
        docker.close();
      }
    },
  );

  test('the same through a client with the command line of kubectl', async () => {
    const kubectl = standInKubectl();
    try {
      await hasItsOutput(`kubectl:prod/${container.name}/main`, kubectl.env);
      const home = ownHome();
      const start = (on: string) => home.start(['true'], { on, ...there(kubectl.env) });
      await expect(start('kubectl:prod/no-such-pod')).rejects.toThrow(
        /does not exist: .*pods "no-such-pod" not found/,
      );
      await expect(start('kubectl:dev/x')).rejects.toThrow(/does not exist: .*namespaces "dev" not found/);
      await expect(start(`kubectl:prod/${container.name}/side`)).rejects.toThrow(
        /container side is not valid for pod/,
      );
    } finally {
      kubectl.close();
    }
  });

  test('is lost with its container', async () => {
    const home = ownHome();
    // Samples use the connection too, and must not hide that it fails.
    const often = { ...there({ UNSTUCK_PLACE_TIMEOUT: '2s' }), options: { sample: '150ms' } };
    const { id } = await home.start(['sleep', '1237'], { on: `podman:${container.name}`, ...often });
    container.remove();
    await until(async () => (await home.call('poll', { id })).status === 'lost', 'it is lost');
    expect((await home.call('poll', { id })).why).toMatch(/^lost: podman:.* does not exist/);
  });
});

function isThere(pid: number, startTicks: number): boolean {
  try {
    const fields = fs
      .readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return fields[19] === String(startTicks) && fields[0] !== 'Z';
  } catch {
    return false;
  }
}

describe.skipIf(noSshd !== null)('a run on a host', () => {
  let host: SshHost;
  beforeAll(async () => {
    host = await startSshHost();
  });
  afterAll(() => host?.close());

  test('loses and doubles no byte, no input and no exit code when anything is killed', async () => {
    const { kills, faults } = await crashRun(host, victims, { lines: 300, inputs: 20, pauseMs: 300 });
    expect(faults).toEqual([]);
    expect(
      Object.values(kills).every((count) => count > 0),
      JSON.stringify(kills),
    ).toBe(true);
    await until(() => leftIn(host).length === 0, 'nothing is left there');
  });

  test('is refused with the reason, within the time limit', async () => {
    const home = ownHome();
    const start = (on: string, env: NodeJS.ProcessEnv = {}) =>
      home.start(['true'], { on, inherit: inherited({ ...host.env, ...env }) });
    await expect(start('ssh:box', { UNSTUCK_SSH: 'no-such-ssh' })).rejects.toThrow(
      /needs the program no-such-ssh/,
    );
    const ssh = host.env.UNSTUCK_SSH;
    await expect(start('ssh:box', { UNSTUCK_SSH: `${ssh} -o PubkeyAuthentication=no` })).rejects.toThrow(
      /refused the key/,
    );
    await expect(start('ssh:box', { UNSTUCK_SSH: `${ssh} -o Port=1` })).rejects.toThrow(/does not answer/);
    const silent = { UNSTUCK_SSH: `${ssh} -o ProxyCommand='sleep 60'`, UNSTUCK_PLACE_TIMEOUT: '5s' };
    await expect(start('ssh:box', silent)).rejects.toThrow(/did not answer within 5/);
    await expect(start('nowhere')).rejects.toMatchObject({ code: 'bad-input' });
    await expect(
      home.start(['no-such-program'], { on: 'ssh:box', cwd: '/', inherit: inherited(host.env) }),
    ).rejects.toMatchObject({ code: 'command-not-found' });
    await expect(
      home.start(['true'], { on: 'ssh:box', cwd: '/no/such', inherit: inherited(host.env) }),
    ).rejects.toThrow(/has no directory/);
    expect((await home.call('list', {})).runs).toEqual([]);
  });
});
