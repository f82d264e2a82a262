import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as yieldOnce } from 'node:timers/promises';
import type { NoticeWishes } from '../../src/model/notice.js';
import type { DeliveryOptions } from '../../src/notices/deliveries.js';
import { Deliveries } from '../../src/notices/deliveries.js';
import { RunDirectory } from '../../src/store/run-directory.js';
import { runId } from '../store/notices/notice-drafts.js';
import { removeDirectory } from '../support/remove-directory.js';

export { notice, runId } from '../store/notices/notice-drafts.js';

/** A clock that moves at once when a caller sleeps. */
export class QuickClock {
  readonly sleeps: number[] = [];
  #now = 0;
  nowMs = () => this.#now;
  random = () => 0;
  sleep = async (ms: number) => {
    this.sleeps.push(ms);
    this.#now += ms;
    await yieldOnce();
  };
}

export type Wishes = Pick<NoticeWishes, 'command' | 'webhook'>;

/** A place for runs, with nothing of it left afterwards. */
export class DeliverHome {
  readonly path = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-deliver-'));
  readonly clock = new QuickClock();
  readonly #opened: Deliveries[] = [];

  /** The directory of a run, made when it is not there. */
  directory(id = runId): RunDirectory {
    const runs = path.join(this.path, 'runs');
    return fs.existsSync(path.join(runs, id)) ? new RunDirectory(runs, id) : RunDirectory.create(id, runs);
  }

  /** As a daemon would begin. */
  deliveries(wishes: Partial<Wishes>, options: DeliveryOptions = {}): Deliveries {
    const deliveries = new Deliveries({ clock: this.clock, ...options });
    this.#opened.push(deliveries);
    this.add(deliveries, wishes);
    return deliveries;
  }

  add(deliveries: Deliveries, wishes: Partial<Wishes>, id = runId): void {
    const all = { command: null, webhook: null, ...wishes };
    deliveries.add({ directory: this.directory(id), cwd: this.path, wishes: all, notices: [] });
  }

  warnings(id = runId): string[] {
    const file = this.directory(id).file('events.jsonl');
    if (!fs.existsSync(file)) return [];
    const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line).message);
  }

  delivered(id = runId): Record<'command' | 'webhook', { seq: number; givenUp: number; dropped: number }> {
    return JSON.parse(fs.readFileSync(this.directory(id).file('delivered.json'), 'utf8'));
  }

  /** Lines that a command has written; none: not there. */
  lines(name: string): string[] {
    const file = path.join(this.path, name);
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  }

  async end(): Promise<void> {
    for (const deliveries of this.#opened) await deliveries.close(0);
    await removeDirectory(this.path);
  }
}
