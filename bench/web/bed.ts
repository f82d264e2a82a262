import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { callOperation } from '../../src/control/client/daemon-client.js';
import { usersOf } from './usage.js';

/** Where the checkout is; bench/launch.mjs puts it in. */
declare const __UNSTUCK_ROOT__: string;

const cli = join(__UNSTUCK_ROOT__, 'dist/cli.cjs');
const atOnce = 10;
const stopTries = 3;
const endEveryMs = 200;
const startMaxMs = 240_000;
const endMaxS = 60;

/** One run of so many prints. */
const printsEvery = 20;

/** Runs, a dashboard and a browser, in a state home of their own. */
export class Bed {
  readonly #home: string;
  readonly #env: NodeJS.ProcessEnv;
  #web: ChildProcess | null = null;
  #browser: Browser | null = null;

  constructor(home: string) {
    this.#home = home;
    this.#env = { ...process.env, UNSTUCK_HOME: home, UNSTUCK_CLI: cli };
    mkdirSync(home, { recursive: true });
  }

  #unstuck(...words: string[]): string {
    const options = { env: this.#env, encoding: 'utf8' as const, cwd: this.#home, maxBuffer: 2 ** 28 };
    return execFileSync(process.execPath, [cli, ...words], options);
  }

  get daemonPid(): number {
    return JSON.parse(this.#unstuck('daemon', 'status', '--json')).pid;
  }

  async start(label: string, command: string[], options = {}): Promise<string> {
    const input = { command, label, cwd: this.#home, inherit: { PATH: '/usr/bin:/bin' }, options };
    return (await callOperation('start', input, { env: this.#env })).id;
  }

  async startAndEnd(label: string, command: string[], options = {}): Promise<string> {
    const id = await this.start(label, command, options);
    const { status } = await callOperation('wait', { id, timeoutS: endMaxS }, { env: this.#env });
    if (status === 'timeout') throw new Error(`${label} has not ended after ${endMaxS} s`);
    return id;
  }

  /** A twentieth of them print every half second. How many there are: on a busy machine fewer, as the time is bounded. */
  async startMany(runs: number, started: (count: number) => void): Promise<number> {
    const untilMs = performance.now() + startMaxMs;
    const commandOf = (n: number) =>
      n % printsEvery === 0
        ? `while :; do echo tick ${n}; sleep 0.5; done`
        : `echo ready ${n}; exec sleep 100000`;
    await this.start('clock', ['sh', '-c', 'while :; do echo "at $(date +%s%3N)"; sleep 0.5; done']);
    let n = 0;
    for (; n < runs && performance.now() < untilMs; n += atOnce) {
      const few = Array.from({ length: Math.min(atOnce, runs - n) }, (_, index) => n + index);
      await Promise.all(few.map((one) => this.start(`run ${one}`, ['sh', '-c', commandOf(one)])));
      if ((n + atOnce) % 100 === 0) started(n + atOnce);
    }
    return Math.min(n, runs);
  }

  /** The link, and the id of the process. */
  async serve(): Promise<{ url: string; pid: number }> {
    const web = spawn(process.execPath, [cli, 'web', '--no-open', '--json'], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#web = web;
    let text = '';
    for await (const chunk of web.stdout.setEncoding('utf8')) {
      text += chunk;
      if (text.trimEnd().endsWith('}')) break;
    }
    return { url: JSON.parse(text).url, pid: web.pid ?? 0 };
  }

  async browse(): Promise<Page> {
    const args = ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'];
    this.#browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
    return this.#browser.newPage({ viewport: { width: 1280, height: 800 } });
  }

  /** On a busy machine the end of a process may not be proven at once. */
  #stopAll(tries: number): void {
    try {
      this.#unstuck('kill', '--all', '--grace', '0');
      this.#unstuck('daemon', 'stop');
    } catch (error) {
      if (tries <= 1) throw error;
      this.#stopAll(tries - 1);
    }
  }

  /** Nothing is left, also when a stop could not be proven. */
  async end(): Promise<void> {
    await this.#browser?.close();
    this.#web?.kill('SIGINT');
    try {
      this.#stopAll(stopTries);
    } finally {
      for (let left = usersOf(this.#home); left.length > 0; left = usersOf(this.#home)) {
        for (const pid of left) endNow(pid);
        await delay(endEveryMs);
      }
    }
  }
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
