import fs from 'node:fs';
import path from 'node:path';
import type { RunLocation } from '../control/elsewhere/why-run.js';
import type { Operation } from '../control/operations/shared/operation.js';
import type { AnswerOperation, LocalRun, LocalRuns } from '../fleet/member/local-runs.js';
import type { FleetMember } from '../fleet/member/member.js';
import { type Membership, membershipReading, unusableFile } from '../fleet/settings.js';
import { Failure } from '../model/failure.js';
import type { BackgroundRun } from '../registry/background-run.js';
import type { Registry } from '../registry/registry.js';
import { writeWhole } from '../store/files.js';
import { errorAnswer } from './error-answer.js';
import { findOperation, parseInput } from './find-operation.js';
import type { DaemonLog } from './log.js';

interface SeatParts {
  home: string;
  operations: Readonly<Record<string, Operation>>;
  registry(): Promise<Registry>;
  /** null: not opened yet. */
  opened(): Registry | null;
  log: DaemonLog;
}

const checkEveryMs = 1000;

/** The seat of this machine in a fleet: taken and left as the file of `unstuck join` says. */
export class FleetSeat {
  readonly #parts: SeatParts;
  readonly #timer: NodeJS.Timeout;
  #member: FleetMember | null = null;
  #changing: Promise<void> = Promise.resolve();
  #isChanging = false;

  constructor(parts: SeatParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#check(), checkEveryMs).unref();
    this.#check();
  }

  /** A member must be reachable: its daemon does not end when idle. */
  get isTaken(): boolean {
    return this.#member !== null || this.#isChanging;
  }

  /** Why this machine is not seen in its fleet now; null: it is, or it has not joined one. */
  get trouble(): string | null {
    const reading = membershipReading(this.#parts.home);
    if (reading.kind === 'unknown') return `fleet: ${unusableFile(this.#parts.home, reading.reason)}`;
    const trouble = this.#member?.lastTrouble ?? null;
    return trouble === null ? null : `fleet: ${trouble}`;
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#changing;
    // The key stays: a daemon that ends is replaced by the next one.
    await this.#member?.close();
  }

  #check(): void {
    if (this.#isChanging) return;
    const reading = membershipReading(this.#parts.home);
    // A read that failed is not a reason to leave.
    if (reading.kind === 'unknown') return;
    const wanted = reading.value;
    if (isSame(wanted, this.#member?.membership ?? null)) return;
    this.#isChanging = true;
    this.#changing = this.#change(wanted)
      .catch((error) => this.#parts.log.writeError('the fleet', error))
      .finally(() => {
        this.#isChanging = false;
      });
  }

  async #change(wanted: Membership | null): Promise<void> {
    const before = this.#member;
    // With the same name its key stays: a machine that has left loses its jobs.
    await (before !== null && isSameSeat(before.membership, wanted) ? before.close() : before?.leave());
    this.#member = null;
    if (wanted === null) return;
    const { FleetMember } = await import('../fleet/member/member.js');
    const { log, opened } = this.#parts;
    // A member without its runs would not know which jobs it has.
    await this.#parts.registry();
    const answer = this.#answer;
    this.#member = new FleetMember(wanted, {
      runs: {
        live: () => opened()?.live ?? 0,
        all: () => (opened()?.select({}) ?? []).map(localRun),
        isReported: (id) => fs.existsSync(this.#reported(id)),
        noteReported: (id) => writeWhole(this.#reported(id), true),
        answer,
        why: this.#why,
        doctor: this.#doctor,
      },
      isWanted: () => this.#isWanted(wanted),
      log: (line) => log.write(line),
    });
  }

  #isWanted(membership: Membership): boolean {
    const reading = membershipReading(this.#parts.home);
    return reading.kind === 'unknown' || isSame(reading.value, membership);
  }

  #reported(id: string): string {
    return path.join(this.#parts.home, 'runs', id, 'fleet-reported.json');
  }

  readonly #why: LocalRuns['why'] = async (input, signal) => {
    try {
      const { id, pid } = (input ?? {}) as { id?: unknown; pid?: unknown };
      const { whyRun } = await import('../control/elsewhere/why-run.js');
      const where = typeof pid === 'number' ? { pid } : await this.#locate(String(id));
      return { status: 200, body: (await whyRun(where, { signal })).answer };
    } catch (error) {
      return errorAnswer(error);
    }
  };

  readonly #doctor: LocalRuns['doctor'] = async () => {
    try {
      const { doctor } = await import('../control/doctor.js');
      return { status: 200, body: await doctor() };
    } catch (error) {
      return errorAnswer(error);
    }
  };

  async #locate(id: string): Promise<RunLocation> {
    const { run } = (await this.#parts.registry()).find({ id, owner: undefined, requestId: '' });
    if (run.status === 'running' && run.pid !== null) return { pid: run.pid, on: run.on };
    throw new Failure('run-ended', `${run.id} is not running`, `see its output: unstuck log HOST/${run.id}`);
  }

  readonly #answer: AnswerOperation = async (name, given, context) => {
    try {
      const operation = findOperation(this.#parts.operations, name);
      const input = parseInput(operation, given);
      const body = await operation.handle(input, { ...context, registry: await this.#parts.registry() });
      return { status: 200, body };
    } catch (error) {
      const answer = errorAnswer(error);
      if (answer.body.error.code === 'internal' && !context.signal.aborted)
        this.#parts.log.writeError(name, error);
      return answer;
    }
  };
}

const isSameSeat = (one: Membership, other: Membership | null) =>
  one.url === other?.url && one.fleet === other.fleet && one.name === other.name;

const isSame = (one: Membership | null, other: Membership | null) =>
  JSON.stringify(one) === JSON.stringify(other);

function localRun(run: BackgroundRun): LocalRun {
  const { id, status, health, why, exit } = run.state;
  const { label, command, startedAt, background } = run.record;
  const { task, owner, tags } = background;
  return {
    id,
    status,
    health,
    why,
    label,
    command,
    startedAt,
    task,
    owner,
    tags,
    ...(exit !== undefined && { exit }),
  };
}
