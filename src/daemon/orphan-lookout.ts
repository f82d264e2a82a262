import type { DaemonSettings } from '../config/daemon-settings.js';
import type { OrphanWatch } from '../control/watch-orphans.js';
import type { Registry } from '../supervise/background/registry.js';
import type { DaemonLog } from './log.js';

/** The watch for orphans that a daemon runs beside all else (F5): nobody waits for it, and it keeps no daemon alive. */
export class OrphanLookout {
  readonly #home: string;
  readonly #settings: DaemonSettings;
  readonly #log: DaemonLog;
  #watching: Promise<OrphanWatch | null> = Promise.resolve(null);

  constructor(home: string, settings: DaemonSettings, log: DaemonLog) {
    this.#home = home;
    this.#settings = settings;
    this.#log = log;
  }

  begin(registry: Registry): void {
    if (this.#settings.orphansEveryMs > 0) this.#watching = this.#begin(registry);
  }

  /** What is being stopped is stopped first. */
  async end(): Promise<void> {
    await (await this.#watching)?.stop();
  }

  async #begin(registry: Registry): Promise<OrphanWatch | null> {
    const { orphansEveryMs, orphansAfterMs, orphansKill } = this.#settings;
    const failed = (error: unknown) => this.#log.writeError('orphans', error);
    try {
      const { watchOrphans } = await import('../control/watch-orphans.js');
      const watch = watchOrphans({
        home: this.#home,
        everyMs: orphansEveryMs,
        olderThanMs: orphansAfterMs,
        autoKill: orphansKill === 'confirmed',
        // A daemon belongs to no project: nobody is suspect to it for where they work.
        projectDir: this.#home,
        onError: failed,
      });
      registry.orphans = watch;
      return watch;
    } catch (error) {
      failed(error);
      return null;
    }
  }
}
