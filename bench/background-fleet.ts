import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type SocketAddress, socketAddress } from '../src/control/client/socket-address.js';
import { daemonArgv } from '../src/control/client/start-daemon.js';
import type { OperationInput, OperationName, OperationOutput } from '../src/control/operations/table.js';
import type { GuardedScratch } from './background-guard.js';

const answerMsMax = 120_000;
const askAgainMs = 5;

/** A command line, for `runToEnd`. */
export interface Command {
  file: string;
  args: string[];
  env: Record<string, string>;
}

/** Many commands that one daemon looks after. */
export interface Fleet {
  readonly daemonPid: number;
  /** The whole command that lists them. */
  readonly listCommand: Command;
  /** Starts so many, at most `atOnce` at the same time; resolves to how long it took. */
  start(command: string[], count: number, atOnce: number): Promise<number>;
  /** Those that run, as a client with a kept connection gets to know them. */
  list(): Promise<{ pids: number[]; tookMs: number }>;
  /** SIGKILL of the daemon, then a new one; how long until it answers with `count` that run, `patienceMs` at most. */
  replaceDaemon(count: number, patienceMs: number): Promise<{ tookMs: number; pids: number[] }>;
}

/** Unstuck: one state home with its daemon, and a client whose connections are kept. */
export class UnstuckFleet implements Fleet {
  readonly home: string;
  readonly #cli: string;
  readonly #address: SocketAddress;
  readonly #env: Record<string, string>;
  readonly #agent = new http.Agent({ keepAlive: true });
  #daemon: ChildProcess;

  private constructor(root: string, { dir, mark }: GuardedScratch, name: string) {
    this.home = join(dir, name);
    mkdirSync(this.home, { mode: 0o700 });
    this.#address = socketAddress(this.home);
    this.#cli = join(root, 'dist/cli.cjs');
    this.#env = { ...mark, UNSTUCK_HOME: this.home, UNSTUCK_DAEMON_IDLE: '0' };
    this.#daemon = this.#startDaemon();
  }

  static async open(root: string, scratch: GuardedScratch, name: string): Promise<UnstuckFleet> {
    const fleet = new UnstuckFleet(root, scratch, name);
    await fleet.#answer(0, answerMsMax);
    return fleet;
  }

  get daemonPid(): number {
    return this.#daemon.pid ?? 0;
  }

  get listCommand(): Command {
    return { file: process.execPath, args: [this.#cli, 'list', '--json'], env: this.#env };
  }

  async start(command: string[], count: number, atOnce: number, task?: string): Promise<number> {
    const beganMs = performance.now();
    let left = count;
    const one = async () => {
      while (left-- > 0) await this.call('start', { command, cwd: this.home, ...(task && { task }) });
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    return performance.now() - beganMs;
  }

  async list(): Promise<{ pids: number[]; tookMs: number }> {
    const beganMs = performance.now();
    const { runs } = await this.call('list', {});
    const tookMs = performance.now() - beganMs;
    return { pids: runs.filter(({ status }) => status === 'running').map(({ pid }) => pid ?? 0), tookMs };
  }

  async replaceDaemon(count: number, patienceMs: number): Promise<{ tookMs: number; pids: number[] }> {
    const ended = once(this.#daemon, 'exit');
    this.#daemon.kill('SIGKILL');
    await ended;
    const beganMs = performance.now();
    this.#daemon = this.#startDaemon();
    const pids = await this.#answer(count, patienceMs);
    return { tookMs: performance.now() - beganMs, pids };
  }

  /** The shim of each run, as it has written itself down. */
  async shims(): Promise<number[]> {
    const { runs } = await this.call('list', {});
    return runs.map(({ id }) =>
      Number.parseInt(readFileSync(join(this.home, 'runs', id, 'claim'), 'utf8'), 10),
    );
  }

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
  ): Promise<OperationOutput<Name>> {
    const body = JSON.stringify(input);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const socketPath = this.#address.path;
    const request = http.request({
      socketPath,
      agent: this.#agent,
      method: 'POST',
      path: `/v1/${name}`,
      headers,
    });
    request.end(body);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const answer = Buffer.concat(chunks).toString();
    if (response.statusCode !== 200) throw new Error(`${name}: ${answer}`);
    return JSON.parse(answer) as OperationOutput<Name>;
  }

  async #answer(count: number, patienceMs: number): Promise<number[]> {
    const giveUpAtMs = performance.now() + patienceMs;
    for (;;) {
      const pids = await this.list().then(
        (listed) => listed.pids,
        () => null,
      );
      const isLate = performance.now() > giveUpAtMs;
      if (pids !== null && (pids.length >= count || isLate)) return pids;
      if (isLate) throw new Error(`no answer within ${patienceMs} ms`);
      await delay(askAgainMs);
    }
  }

  #startDaemon(): ChildProcess {
    const [node = '', ...words] = daemonArgv(process.execPath, this.#cli);
    return spawn(node, words, {
      stdio: 'ignore',
      env: { ...process.env, ...this.#env },
      cwd: '/',
    });
  }
}
