import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as yieldOnce } from 'node:timers/promises';
import type { RunStatus } from '../../model/background.js';
import { Failure } from '../../model/failure.js';
import { makeDirectory } from '../../store/make-directory.js';
import { readRecord } from '../../store/read-record.js';
import { RunDirectory } from '../../store/run-directory.js';
import { BackgroundRun } from './background-run.js';
import { Crowd } from './crowd.js';
import { type LaunchedRun, launchRun, removeDrafts } from './launch-run.js';
import { prepareStart, type StartRequest } from './prepare-start.js';
import { capOf, type Retention, toGo } from './retention.js';
import { standingOf } from './standing.js';

/** What `list` may be asked for. */
export interface RunFilter {
  task?: string | undefined;
  owner?: string | undefined;
  status?: RunStatus | undefined;
}

/** A directory that looks like a run and cannot be read. */
export interface SetAside {
  directory: string;
  reason: string;
}

const adoptedAtOnce = 50;
const retainEveryMs = 60_000;
/** Whoever asked for a start that never came has asked again by then, or never will. */
const unclaimedMs = 60_000;

/** All runs of this user in the background, live and ended: what the daemon works on. */
export class Registry {
  readonly #runs: string;
  readonly #retention: Retention;
  readonly #crowd = new Crowd();
  readonly #byId = new Map<string, BackgroundRun>();
  readonly #timer: NodeJS.Timeout;
  #live = 0;
  #retaining = false;
  setAside: SetAside[] = [];

  private constructor(home: string, retention: Retention) {
    this.#runs = path.join(home, 'runs');
    this.#retention = retention;
    this.#timer = setInterval(() => this.#retain(), retainEveryMs).unref();
  }

  /** Reads what is on disk and adopts what is alive; one bad directory is set aside. */
  static async open(home: string, retention: Retention): Promise<Registry> {
    const registry = new Registry(home, retention);
    makeDirectory(registry.#runs, 0o700);
    removeDrafts(registry.#runs);
    await registry.#adoptAll();
    return registry;
  }

  /** Runs that have not ended. */
  get live(): number {
    return this.#live;
  }

  /** By its id, or the beginning of one: D1. */
  get(id: string): BackgroundRun {
    const digits = id.replace(/^run_/, '');
    const exact = this.#byId.get(`run_${digits}`);
    if (exact !== undefined) return exact;
    const found = /^[0-9a-f]{4,12}$/.test(digits)
      ? [...this.#byId.keys()].filter((known) => known.startsWith(`run_${digits}`))
      : [];
    const [only, ...others] = found;
    if (only === undefined) {
      throw new Failure(
        'no-such-run',
        `there is no run ${JSON.stringify(id)}`,
        'see which there are: unstuck list',
      );
    }
    if (others.length > 0) {
      throw new Failure(
        'no-such-run',
        `${found.length} runs begin with ${id}`,
        `one of ${found.slice(0, 5).join(', ')}`,
      );
    }
    return this.#byId.get(only) as BackgroundRun;
  }

  select({ task, owner, status }: RunFilter): BackgroundRun[] {
    return [...this.#byId.values()]
      .filter(
        (run) =>
          (task === undefined || run.record.background.task === task) &&
          (owner === undefined || run.record.background.owner === owner) &&
          (status === undefined || run.status === status),
      )
      .sort((a, b) => Date.parse(a.record.startedAt) - Date.parse(b.record.startedAt));
  }

  /** Starts a command, once for each request: made again, it finds what was started. */
  async start(request: StartRequest, requestId: string): Promise<BackgroundRun> {
    const id = `run_${createHash('sha256').update(requestId).digest('hex').slice(0, 12)}`;
    const run = this.#byId.get(id) ?? this.#take(launchRun(this.#runs, id, prepareStart(request)));
    await run.started();
    return run;
  }

  /** Forgets an ended run and what is kept of it. */
  remove(run: BackgroundRun): void {
    run.close();
    this.#byId.delete(run.id);
    run.directory.remove();
  }

  /** Lets go of everything: the runs live on. What is being stopped is stopped first. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#byId.values()].map((run) => run.settle()));
    for (const run of this.#byId.values()) run.close();
    this.#crowd.close();
  }

  #take({ directory, record }: LaunchedRun): BackgroundRun {
    const run = new BackgroundRun({
      directory,
      record,
      crowd: this.#crowd,
      capOf: (wantedBytes) => capOf(wantedBytes, this.#retention, this.#live),
      ended: () => {
        this.#live -= 1;
        this.#retainSoon();
      },
    });
    this.#live += 1;
    this.#byId.set(record.id, run);
    return run;
  }

  async #adoptAll(): Promise<void> {
    const names = fs.readdirSync(this.#runs).filter((name) => /^run_[0-9a-f]{12}$/.test(name));
    for (const [index, name] of names.entries()) {
      if (index % adoptedAtOnce === 0) await yieldOnce();
      try {
        this.#adopt(new RunDirectory(this.#runs, name));
      } catch (error) {
        this.setAside.push({ directory: path.join(this.#runs, name), reason: (error as Error).message });
      }
    }
  }

  #adopt(directory: RunDirectory): void {
    const record = readRecord(directory.readRecord());
    if (typeof record === 'string') {
      this.setAside.push({ directory: directory.path, reason: record });
      return;
    }
    const { background } = record;
    if (background === null) return;
    if (standingOf(directory, record.supervisor?.bootId ?? '').kind === 'unclaimed') {
      const ageMs = Date.now() - Date.parse(record.startedAt);
      // Its start may be asked for again: then it is started.
      if (ageMs >= 0 && ageMs < unclaimedMs) return;
      directory.claim();
    }
    this.#take({ directory, record: { ...record, background } });
  }

  /** Many may end at the same time. */
  #retainSoon(): void {
    if (this.#retaining) return;
    this.#retaining = true;
    setImmediate(() => {
      this.#retaining = false;
      this.#retain();
    });
  }

  #retain(): void {
    for (const run of toGo(this.#byId.values(), this.#retention, Date.now())) this.remove(run);
  }
}
