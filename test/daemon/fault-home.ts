import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { daemonArgv } from '../../src/control/client/start-daemon.js';
import type { OperationOutput } from '../../src/control/operations/table.js';
import { BackgroundHome, until } from '../support/background-home.js';

const cli = new URL('../../dist/cli.cjs', import.meta.url).pathname;

/** Under faults: a daemon may never get as far as its name in the lock. */
const startMsMax = 3000;

type Listed = OperationOutput<'list'>['runs'][number];

/** A run, and how it ends by itself. */
export interface Subject {
  id: string;
  pid: number;
  /** null: it goes on until it is killed. */
  code: number | null;
  isKilled: boolean;
}

/** A state home whose daemon reads and writes under faults, when told to. */
export class FaultHome extends BackgroundHome {
  readonly subjects: Subject[] = [];
  readonly #strangers: ChildProcess[] = [];
  readonly #control: number;
  readonly #daemonEnv: NodeJS.ProcessEnv;
  readonly #daemons: ChildProcess[] = [];
  #perMille = 0;

  constructor(library: string, seed: number) {
    super();
    const file = path.join(this.path, '..', `${path.basename(this.path)}.faults`);
    fs.writeFileSync(file, Buffer.alloc(4096));
    this.#control = fs.openSync(file, 'r+');
    fs.unlinkSync(file);
    this.#write(1, seed);
    this.#daemonEnv = {
      ...this.env,
      LD_PRELOAD: library,
      FAULTS_FILE: `/proc/${process.pid}/fd/${this.#control}`,
      FAULTS_HOME: this.path,
      UNSTUCK_KEEP_RUNS: '2',
      UNSTUCK_ORPHANS_EVERY: '1s',
      UNSTUCK_ORPHANS_AFTER: '1ms',
      UNSTUCK_ORPHANS_KILL: 'confirmed',
    };
  }

  /** One that faults can reach, unlike one that a client starts. Under faults it may come to nothing. */
  async startDaemon(): Promise<void> {
    const [file = '', ...words] = daemonArgv(process.execPath, cli);
    const child = spawn(file, words, { env: this.#daemonEnv, stdio: 'ignore', detached: true });
    this.#daemons.push(child);
    const isThere = () => this.daemonPid === child.pid || child.exitCode !== null;
    // Its name in the lock may be one of the writes that fail.
    if (this.#perMille === 0) await until(isThere, 'a daemon');
    else await until(isThere, 'a daemon', startMsMax).catch(() => {});
    child.unref();
  }

  /** SIGKILL, also to one whose name is not in the lock. */
  override async killDaemon(): Promise<boolean> {
    for (const child of this.#daemons.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    return super.killDaemon();
  }

  /** Of 1000 calls, so many fail from now on. */
  faults(perMille: number): void {
    this.#perMille = perMille;
    this.#write(0, perMille);
  }

  /** A process of no run, which ends when it is signalled. */
  async stranger(): Promise<void> {
    const script = `trap 'exit 9' TERM INT HUP; echo on; while :; do read -r x; done`;
    const child = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'], cwd: this.path });
    this.#strangers.push(child);
    await new Promise((resolve) => child.stdout.once('data', resolve));
  }

  get strangersAlive(): boolean {
    return this.#strangers.every(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  }

  /** Of a command that ends by itself after so long, or does not. */
  async begin(code: number | null, seconds = 0): Promise<void> {
    const script = code === null ? 'echo on; exec sleep 1000' : `echo on; sleep ${seconds}; exit ${code}`;
    const { id, pid } = await this.start(['sh', '-c', script], { notify: { events: ['exit'] } });
    if (pid !== null) this.subjects.push({ id, pid, code, isKilled: false });
  }

  isAlive({ id, pid }: Subject): boolean {
    try {
      const environ = fs.readFileSync(`/proc/${pid}/environ`, 'latin1');
      return environ.split('\0').includes(`UNSTUCK_RUN_ID=${id}`);
    } catch {
      return false;
    }
  }

  /** What the shim wrote; null: nothing, or it is not there. */
  exitOnDisk({ id }: Subject): number | null {
    try {
      const text = fs.readFileSync(path.join(this.path, 'runs', id, 'exit'), 'latin1').trim();
      return text === '' ? null : Number(text);
    } catch {
      return null;
    }
  }

  hasDirectory({ id }: Subject): boolean {
    return fs.existsSync(path.join(this.path, 'runs', id, 'exit'));
  }

  /** What is wrong with what is on disk now: a living run has its directory and no end. */
  lostOnDisk(): string[] {
    return this.subjects
      .filter((subject) => this.isAlive(subject))
      .filter((subject) => !this.hasDirectory(subject) && this.isAlive(subject))
      .map(({ id }) => `the directory of ${id}, which lives, is gone`);
  }

  /** What is wrong with a list: asked for while nothing holds still, so what is on disk is read after it. */
  wrongIn(runs: readonly Listed[]): string[] {
    return runs.flatMap((run) => {
      const subject = this.subjects.find(({ id }) => id === run.id);
      if (run.status === 'running' || subject === undefined) return [];
      if (run.status === 'lost') return [`${run.id} is said to be lost: ${run.why}`];
      const recorded = this.exitOnDisk(subject);
      const isSame = recorded === null ? !this.hasDirectory(subject) : recorded === run.exit?.code;
      return isSame ? [] : [`${run.id} is said to have ended with ${run.exit?.code}, not ${recorded}`];
    });
  }

  override async end(): Promise<void> {
    this.faults(0);
    for (const stranger of this.#strangers) stranger.kill('SIGKILL');
    await super.end();
    fs.closeSync(this.#control);
  }

  #write(place: number, value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value >>> 0);
    fs.writeSync(this.#control, bytes, 0, 4, place * 4);
  }
}

/** Compiles what is preloaded; returns its path. */
export function compileFaults(compiler: string): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-faults-'));
  const library = path.join(directory, 'faults.so');
  const source = new URL('./programs/faults.c', import.meta.url).pathname;
  execFileSync(compiler, ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']);
  return library;
}
