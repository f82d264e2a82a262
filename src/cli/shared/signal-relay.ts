import type { RunHandle } from '../../control/run.js';
import type { RunDisplay } from '../commands/run/display.js';

const interrupting = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Passes signals from a terminal or CI to the tree, including those that come during the start. */
export class SignalRelay {
  #target: { handle: RunHandle; display: RunDisplay } | null = null;
  #early: NodeJS.Signals[] = [];
  #interrupts = 0;

  constructor() {
    for (const signal of interrupting) process.on(signal, this.#interrupt);
  }

  to(handle: RunHandle, display: RunDisplay): void {
    this.#target = { handle, display };
    for (const signal of this.#early.splice(0)) this.#interrupt(signal);
    process.on('SIGTSTP', this.#pause);
    process.on('SIGCONT', this.#goOn);
  }

  close(): void {
    for (const signal of interrupting) process.off(signal, this.#interrupt);
    process.off('SIGTSTP', this.#pause);
    process.off('SIGCONT', this.#goOn);
  }

  readonly #interrupt = (signal: NodeJS.Signals) => {
    if (this.#target === null) {
      this.#early.push(signal);
      return;
    }
    const { handle, display } = this.#target;
    this.#interrupts += 1;
    if (this.#interrupts > 1) display.hurry();
    handle.interrupt(signal);
  };

  /** SIGSTOP, because the session has no shell, and a process in it may ignore SIGTSTP. */
  readonly #pause = () => {
    void this.#target?.handle.pass('SIGSTOP').finally(() => process.kill(process.pid, 'SIGSTOP'));
  };

  readonly #goOn = () => {
    void this.#target?.handle.pass('SIGCONT');
  };
}
