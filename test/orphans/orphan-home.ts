import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { launchRun } from '../../src/registry/start/launch-run.js';
import { prepareStart, type StartRequest } from '../../src/registry/start/prepare-start.js';
import { RunDirectory } from '../../src/store/run-directory.js';
import { isAlive, newRunId, testEnvironment } from '../run/stop/start-run.js';
import { until } from '../support/background-home.js';
import { known } from '../support/known.js';
import { afterEveryTest } from '../support/per-test.js';
import { type Identity, readIdentity } from '../support/read-tree.js';
import { removeDirectory } from '../support/remove-directory.js';

const homes: OrphanHome[] = [];

afterEveryTest(async () => {
  for (let home = homes.pop(); home !== undefined; home = homes.pop()) await home.end();
});

export interface RunOptions {
  env?: Record<string, string>;
  /** The command is not waited for. */
  lives?: boolean;
}

/** A state home and a project of its own, with real runs in it; nothing of them outlives the test. */
export class OrphanHome {
  readonly path = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-orphans-')));
  readonly project = path.join(this.path, 'project');
  readonly #mark = randomBytes(6).toString('hex');
  readonly #others: Identity[] = [];
  /** Command lines of the shells that run the scripts. */
  readonly #shells: string[] = [];

  constructor() {
    fs.mkdirSync(this.project);
    homes.push(this);
  }

  get runs(): string {
    return path.join(this.path, 'runs');
  }

  /** What everything here is started with. */
  get env(): Record<string, string> {
    return { ...testEnvironment(this.#mark), UNSTUCK_HOME: this.path };
  }

  directory(id: string): RunDirectory {
    return new RunDirectory(this.runs, id);
  }

  /** Runs a shell script in the background, as the daemon does, and waits until it has ended. */
  async run(script: string, { env = {}, lives = false }: RunOptions = {}): Promise<string> {
    const id = newRunId();
    this.#shells.push(Buffer.from(`sh\0-c\0${script}\0`).toString('latin1'));
    const request: StartRequest = {
      command: ['sh', '-c', script],
      cwd: this.project,
      env,
      inherit: this.env,
      envDeny: [],
      tags: [],
      input: 'none',
      options: {},
    };
    const { directory } = launchRun(this.runs, id, prepareStart(request), request);
    await until(
      () => (lives ? known(directory.readLeader()) !== '' : known(directory.readExit()) !== null),
      `the end of ${script}`,
    );
    return id;
  }

  /** A stranger: no run, in the project, in a session of its own; ends with the test. */
  start(argv: readonly string[], env: Record<string, string> = {}): number {
    const [file = '', ...args] = argv;
    const options = {
      cwd: this.project,
      env: { ...this.env, ...env },
      detached: true,
      stdio: 'ignore',
    } as const;
    const child = spawn(file, args, options);
    child.unref();
    return this.stopAtEnd(child.pid ?? -1);
  }

  /** A number that a script has written to a file of the project. */
  async number(name: string): Promise<number> {
    const file = path.join(this.project, name);
    await until(() => read(file).includes('\n'), `${name} has a number`);
    return Number(read(file));
  }

  /**
   * The same of a process, which ends with the test. It has become the program it is to be: before that it is a copy of the
   * shell, and for a moment it has no environment.
   */
  async pid(name: string): Promise<number> {
    const pid = this.stopAtEnd(await this.number(name));
    const isItself = () => !['', ...this.#shells].includes(read(`/proc/${pid}/cmdline`));
    await until(isItself, `${name} has begun`);
    return pid;
  }

  /** For a process that has cut all ties by which the test could find it. */
  stopAtEnd(pid: number): number {
    this.#others.push(readIdentity(pid));
    return pid;
  }

  /** Kills everything by the mark of the test, and proves that it is gone. */
  async end(): Promise<void> {
    await until(() => {
      const left = [...this.#others.filter(isAlive).map(({ pid }) => pid), ...this.marked()];
      for (const pid of left) kill(pid);
      return left.length === 0;
    }, 'nothing of the test is left');
    await removeDirectory(this.path);
  }

  /** The processes that were started here and live. */
  marked(): number[] {
    return fs.readdirSync('/proc').flatMap((name) => {
      const isOurs = /^\d+$/.test(name) && read(`/proc/${name}/environ`).includes(this.#mark);
      return isOurs && isAlive(readIdentity(Number(name))) ? [Number(name)] : [];
    });
  }
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
