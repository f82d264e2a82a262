import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command, Fleet } from './background-fleet.js';
import type { GuardedScratch } from './background-guard.js';
import type { Pm2Answer, Pm2Request } from './background-pm2-client.js';
import { read } from './process-cost.js';

export const pm2Version = '7.0.4';
const installMsMax = 120_000;

/** A string instead: why PM2 is not here. */
export async function installPm2({ dir, mark }: GuardedScratch): Promise<string | null> {
  const place = join(dir, 'pm2');
  mkdirSync(place);
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', place];
  const npm = spawn('npm', [...args, `pm2@${pm2Version}`], {
    cwd: place,
    stdio: 'ignore',
    env: { ...process.env, ...mark },
    timeout: installMsMax,
    killSignal: 'SIGKILL',
  });
  const code = await new Promise<number | null>((resolve) => {
    npm.once('error', () => resolve(null));
    npm.once('close', resolve);
  });
  return code === 0 ? null : `pm2@${pm2Version} could not be installed`;
}

/** PM2: its daemon, and a client process whose connection is kept. */
export class Pm2Fleet implements Fleet {
  readonly #place: string;
  readonly #home: string;
  readonly #env: Record<string, string>;
  #client: ChildProcess | null = null;

  private constructor({ dir, mark }: GuardedScratch) {
    this.#place = join(dir, 'pm2');
    this.#home = join(dir, 'pm2-home');
    this.#env = { ...mark, PM2_HOME: this.#home, PM2_DISABLE_VERSION_CHECK: 'true' };
  }

  static async open(scratch: GuardedScratch): Promise<Pm2Fleet> {
    const fleet = new Pm2Fleet(scratch);
    await fleet.#connect();
    return fleet;
  }

  get daemonPid(): number {
    return Number(readFileSync(join(this.#home, 'pm2.pid'), 'utf8'));
  }

  get listCommand(): Command {
    const pm2 = join(this.#place, 'node_modules/pm2/bin/pm2');
    return { file: process.execPath, args: [pm2, 'jlist'], env: this.#env };
  }

  async start(command: string[], count: number, atOnce: number): Promise<number> {
    return (await this.#ask({ kind: 'start', command, count, atOnce })).tookMs;
  }

  list(): Promise<Pm2Answer> {
    return this.#ask({ kind: 'list' });
  }

  async replaceDaemon(_count: number, patienceMs: number): Promise<Pm2Answer> {
    const old = this.daemonPid;
    process.kill(old, 'SIGKILL');
    while (read(`/proc/${old}/cmdline`) !== '') await delay(5);
    await this.#close();
    const beganMs = performance.now();
    await this.#connect();
    // It might still find them.
    await delay(patienceMs);
    const { pids } = await this.list();
    return { tookMs: performance.now() - beganMs, pids };
  }

  async #close(): Promise<void> {
    if (this.#client === null || this.#client.exitCode !== null) return;
    const ended = once(this.#client, 'exit');
    this.#client.disconnect();
    await ended;
  }

  async #connect(): Promise<void> {
    const client = fork(process.argv[1] ?? '', ['--pm2-client', this.#place], {
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await Promise.race([
      once(client, 'message'),
      once(client, 'exit').then(() => Promise.reject(new Error('the client of PM2 ended'))),
    ]);
    this.#client = client;
  }

  async #ask(request: Pm2Request): Promise<Pm2Answer> {
    if (this.#client === null) throw new Error('PM2 is not connected');
    this.#client.send(request);
    const [answer] = (await once(this.#client, 'message')) as [Pm2Answer];
    if (answer.error !== undefined) throw new Error(`PM2, ${request.kind}: ${answer.error}`);
    return answer;
  }
}
