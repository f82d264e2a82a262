import type { DaemonSettings } from '../config/daemon-settings.js';
import type { OrphanWatch } from '../control/orphans/watch-orphans.js';
import type { Registry } from '../registry/registry.js';
import { Projects } from '../store/projects.js';
import type { DaemonLog } from './log.js';

/** The daemon's watch for orphans. It keeps the daemon alive as long as a later check is needed. */
export class OrphanRounds {
  readonly #home: string;
  readonly #settings: DaemonSettings;
  readonly #log: DaemonLog;
  /** null: the watch is off. */
  #watch: OrphanWatch | 'beginning' | null = null;
  #watching: Promise<OrphanWatch | null> = Promise.resolve(null);

  constructor(home: string, settings: DaemonSettings, log: DaemonLog) {
    this.#home = home;
    this.#settings = settings;
    this.#log = log;
  }

  begin(registry: Registry): void {
    if (this.#settings.orphansEveryMs === 0) return;
    this.#watch = 'beginning';
    this.#watching = this.#begin(registry);
  }

  get hasWork(): boolean {
    return this.#watch === 'beginning' || this.#watch?.hasWork === true;
  }

  /** A kill under way finishes first and is reported. */
  async end(): Promise<void> {
    await (await this.#watching)?.stop();
  }

  async #begin(registry: Registry): Promise<OrphanWatch | null> {
    const { orphansEveryMs, orphansAfterMs, orphansKill } = this.#settings;
    const failed = (error: unknown) => this.#log.writeError('orphans', error);
    try {
      const { watchOrphans } = await import('../control/orphans/watch-orphans.js');
      const projects = new Projects(this.#home);
      const watch = watchOrphans({
        home: this.#home,
        everyMs: orphansEveryMs,
        olderThanMs: orphansAfterMs,
        autoKill: orphansKill === 'confirmed',
        projectDir: () => projects.list(),
        runsEnded: () => registry.endedRuns,
        onError: failed,
      });
      registry.orphans = watch;
      this.#watch = watch;
      return watch;
    } catch (error) {
      failed(error);
      this.#watch = null;
      return null;
    }
  }
}
