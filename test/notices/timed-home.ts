import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { daemonSettings } from '../../src/config/daemon-settings.js';
import type { NoticeDesk } from '../../src/notices/notice-desk.js';
import type { BackgroundRun } from '../../src/registry/background-run.js';
import { Registry } from '../../src/registry/registry.js';
import type { NotifyRequest } from '../../src/registry/start/prepare-start.js';
import { removeDirectory } from '../support/remove-directory.js';
import { HandClock } from './hand-clock.js';

type Told = Awaited<ReturnType<NoticeDesk['read']>>['notices'];

/** A real process that prints what it is told to, when it is told to. */
export class Speaker {
  readonly run: BackgroundRun;
  readonly #fd: number;

  constructor(run: BackgroundRun, fd: number) {
    this.run = run;
    this.#fd = fd;
  }

  say(...lines: string[]): void {
    fs.writeSync(this.#fd, lines.map((line) => `${line}\n`).join(''));
  }

  end(): void {
    fs.closeSync(this.#fd);
  }

  /** Matches that wait for the next notice, as the disk has it. */
  get held(): number {
    const file = this.run.directory.file('watch.json');
    return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).held.count : 0;
  }
}

/** Everything that a daemon has, in this process, on real runs; only the time is ours. */
export class TimedHome {
  readonly path = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-notifier-'));
  readonly clock = new HandClock();
  #registry: Registry | null = null;
  #speakers = 0;

  async open(): Promise<this> {
    this.#registry = await Registry.open(this.path, daemonSettings({}), this.clock);
    return this;
  }

  get registry(): Registry {
    if (this.#registry === null) throw new Error('not open');
    return this.#registry;
  }

  /** As after a restart of the daemon. */
  async reopen(): Promise<void> {
    await this.registry.close();
    await this.open();
  }

  /** `notify` null: nothing of it is told. */
  start(script: string, notify: Partial<NotifyRequest> | null): Promise<BackgroundRun> {
    return this.registry.start(
      {
        command: ['sh', '-c', script],
        cwd: this.path,
        env: {},
        inherit: { PATH: process.env.PATH ?? '' },
        envDeny: [],
        tags: [],
        input: 'none',
        options: { sample: '50ms', activityWindow: '200ms', linger: '50ms' },
        ...(notify !== null && { notify: { events: [], patterns: [], everyS: 0, ...notify } }),
      },
      `${script} ${this.#speakers}`,
    );
  }

  /** `cat $in` in the script prints the lines of the speaker, and ends with it. */
  async speaker(notify: Partial<NotifyRequest> | null, script = 'cat $in'): Promise<Speaker> {
    this.#speakers += 1;
    const name = `in-${this.#speakers}`;
    execFileSync('mkfifo', [path.join(this.path, name)]);
    // For both ways: opening it does not wait for a reader.
    const fd = fs.openSync(path.join(this.path, name), 'r+');
    return new Speaker(await this.start(`in=${name}; ${script}`, notify), fd);
  }

  async told(): Promise<Told> {
    const request = { consumer: 'c', limit: 1000, timeoutS: 0 };
    return (await this.registry.readNotices(request, new AbortController().signal)).notices;
  }

  async kinds(): Promise<string[]> {
    return (await this.told()).map(({ kind, suppressed }) =>
      suppressed === 0 ? kind : `${kind} ${suppressed}`,
    );
  }

  async end(): Promise<void> {
    for (const run of this.registry.select({ status: 'running' })) await run.acts.kill('end', 0);
    await this.registry.close();
    await removeDirectory(this.path);
  }
}
