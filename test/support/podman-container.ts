import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findTool } from './find-tool.js';
import { patienceMs } from './patience.js';

/** A container of this machine whose image has a static busybox and nothing else. */
export interface Container {
  name: string;
  /** Variables with which podman finds it. */
  env: Record<string, string>;
  /** Its image stays. */
  remove(): void;
  close(): void;
}

const busybox = '/bin/busybox';
const applets =
  'sh cat ls sleep dd head tail grep tr sed uname date ps kill mkfifo mkdir chmod rm id setsid stty env df fallocate'.split(
    ' ',
  );

const isRoot = process.getuid?.() === 0;
/** Without root, podman needs a storage without mounts. */
const client = isRoot ? ['podman'] : ['podman', '--storage-driver=vfs', '--cgroup-manager=cgroupfs'];

function podman(env: Record<string, string>, args: readonly string[], input?: string): string {
  const shell = `${input ?? ':'} | exec "$@"`;
  const words = ['-c', shell, 'sh', ...client, ...args];
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  return execFileSync('sh', words, { encoding: 'utf8', stdio: [...stdio], env: { ...process.env, ...env } });
}

/** Why there is none here; null: there is one. */
export function noPodman(): string | null {
  if (!fs.existsSync(busybox)) return 'busybox is not installed';
  try {
    execFileSync('podman', ['--version'], { stdio: 'ignore' });
    execFileSync('runc', ['--version'], { stdio: 'ignore' });
  } catch {
    return 'podman or runc is not installed';
  }
  return !isRoot && hasOwnIds() && findTool('newuidmap') === null
    ? 'newuidmap is not installed (uidmap)'
    : null;
}

/** Whether this user may use the ids of other users, for which rootless podman needs a program. */
function hasOwnIds(): boolean {
  const { username } = os.userInfo();
  return (
    fs.existsSync('/etc/subuid') &&
    fs
      .readFileSync('/etc/subuid', 'utf8')
      .split('\n')
      .some((line) => line.startsWith(`${username}:`))
  );
}

/** Why no container of another user can be read from outside; null: it can. */
export function noPodmanOutside(): string | null {
  return isRoot ? noPodman() : 'a container is read from outside by root here';
}

/** What rootless podman keeps running, besides containers. */
function endPause(runtime: string): void {
  try {
    process.kill(Number(fs.readFileSync(path.join(runtime, 'libpod/tmp/pause.pid'), 'utf8')), 'SIGKILL');
  } catch {
    // There is none.
  }
  fs.rmSync(runtime, { recursive: true, force: true });
}

/** Starts a container. `shell`: whether its image has a shell and other programs beside busybox itself. */
export function startContainer(command: readonly string[], { shell = true } = {}): Container {
  const name = `unstuck-${randomBytes(4).toString('hex')}`;
  const runtime = isRoot ? null : fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-run-'));
  const env: Record<string, string> =
    runtime === null ? {} : { UNSTUCK_PODMAN: client.join(' '), XDG_RUNTIME_DIR: runtime };
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-image-'));
  try {
    for (const folder of ['bin', 'proc', 'tmp', 'dev', 'sys']) fs.mkdirSync(path.join(root, folder));
    fs.copyFileSync(busybox, path.join(root, 'bin/busybox'));
    for (const applet of shell ? applets : []) fs.symlinkSync('busybox', path.join(root, 'bin', applet));
    const image = podman(env, ['import', '-q', '-'], `tar -C ${root} --owner=0 --group=0 -c .`).trim();
    const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'];
    const options = ['-d', '--runtime=runc', '--network=none', ...limits, '--name', name];
    podman(env, ['run', ...options, image, ...command]);
    const remove = () => void podman(env, ['rm', '-f', '-i', '-t', '0', name]);
    return {
      name,
      env,
      remove,
      close() {
        remove();
        podman(env, ['rmi', '-f', image]);
        if (runtime !== null) endPause(runtime);
      },
    };
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

/** Why there is no client of docker; null: there is one, and podman can serve it. */
export function noDocker(): string | null {
  try {
    execFileSync('docker', ['--version'], { stdio: 'ignore' });
    return noPodman();
  } catch {
    return 'the client of docker is not installed';
  }
}

/** A socket has its file before anything listens on it. */
function listens(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = net.connect(socket);
    client.once('error', () => resolve(false));
    client.once('connect', () => {
      client.destroy();
      resolve(true);
    });
  });
}

/** Serves the containers of podman to the client of docker. */
export async function serveDocker({
  env,
}: Container): Promise<{ env: Record<string, string>; close(): void }> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-docker-'));
  const socket = path.join(directory, 'd.sock');
  const [program = '', ...options] = client;
  const service = spawn(program, [...options, 'system', 'service', '--time=0', `unix://${socket}`], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, ...env },
  });
  const close = () => {
    try {
      process.kill(-(service.pid as number), 'SIGKILL');
    } catch {
      // It has ended.
    }
    fs.rmSync(directory, { recursive: true, force: true });
  };
  const endMs = performance.now() + patienceMs;
  while (!(await listens(socket))) {
    if (service.exitCode !== null || performance.now() > endMs) {
      close();
      throw new Error(`podman serves nothing: ${service.exitCode}`);
    }
    await delay(20);
  }
  return { env: { DOCKER_HOST: `unix://${socket}` }, close };
}

/** A client with the command line of kubectl: `exec -i [-n NAMESPACE] POD [-c CONTAINER] -- WORDS…`. The pod is a container. */
const kubectlScript = `#!/bin/sh
[ "$1 $2" = 'exec -i' ] || { echo "error: unknown command \\"$1 $2\\"" >&2; exit 1; }
shift 2
[ "$1" != -n ] || { [ "$2" = prod ] || { echo "Error from server (NotFound): namespaces \\"$2\\" not found" >&2; exit 1; }; shift 2; }
pod=$1
shift
[ "$1" != -c ] || { [ "$2" = main ] || { echo "error: container $2 is not valid for pod $pod" >&2; exit 1; }; shift 2; }
[ "$1" = -- ] || { echo 'error: you must specify at least one command for the container' >&2; exit 1; }
shift
podman container exists "$pod" || { echo "Error from server (NotFound): pods \\"$pod\\" not found" >&2; exit 1; }
exec PODMAN exec -i "$pod" "$@"
`;

/** Serves the containers of podman to a client that has the command line of kubectl. */
export function standInKubectl(): { env: Record<string, string>; close(): void } {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-kubectl-'));
  const file = path.join(directory, 'kubectl');
  const words = client.join(' ');
  fs.writeFileSync(
    file,
    kubectlScript.replace('podman container', `${words} container`).replace('PODMAN', words),
    {
      mode: 0o755,
    },
  );
  return {
    env: { UNSTUCK_KUBECTL: file },
    close: () => fs.rmSync(directory, { recursive: true, force: true }),
  };
}
