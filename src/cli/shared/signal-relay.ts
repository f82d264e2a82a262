import { ownsTerminal, type RunHandle } from '../../control/run.js';
import type { RunDisplay } from '../commands/run/display.js';

/** They end most programs. The whole tree gets them, as from a terminal or `timeout`. */
const interrupting = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * They mean something to the command alone, as `kill` sends them. Not here: CHLD, PIPE and XFSZ, which report something
 * about Unstuck's own calls; TTIN and TTOU, which stop Unstuck itself; and faults (SEGV …), after which no code of this
 * process can run.
 */
const passed = [
  'SIGUSR1',
  'SIGUSR2',
  'SIGALRM',
  'SIGVTALRM',
  'SIGPROF',
  'SIGXCPU',
  'SIGPWR',
  'SIGIO',
  'SIGSTKFLT',
  'SIGURG',
  'SIGABRT',
] as const;

/** Signals that came at once are one signal, as they are for the kernel. Otherwise a flood of them could not be served. */
function oncePerTurn(act: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      act();
    });
  };
}

interface Target {
  handle: RunHandle;
  display: RunDisplay;
}

/**
 * Passes on every signal that can be caught, including those that come during the start. None of them ends Unstuck while
 * the command lives. A signal that the caller ignores is ignored.
 */
export class SignalRelay {
  readonly #listeners = new Map<NodeJS.Signals, () => void>();
  #target: Target | null = null;
  #early: ((target: Target) => void)[] = [];
  /** A SIGINT has come, and the command was told. */
  isInterrupted = false;

  constructor(ignored: readonly string[]) {
    const listen = (signal: NodeJS.Signals, act: () => void): void => {
      const listener = ignored.includes(signal) ? () => {} : oncePerTurn(act);
      this.#listeners.set(signal, listener);
      process.on(signal, listener);
    };
    for (const signal of interrupting) listen(signal, () => this.#interrupt(signal));
    for (const signal of passed) listen(signal, () => this.#pass(signal));
    listen('SIGTSTP', () => this.#pause());
    listen('SIGCONT', () => this.#pass('SIGCONT'));
    listen('SIGWINCH', () => this.#pass('SIGWINCH'));
  }

  to(handle: RunHandle, display: RunDisplay): void {
    const target = { handle, display };
    this.#target = target;
    for (const act of this.#early.splice(0)) act(target);
  }

  close(): void {
    for (const [signal, listener] of this.#listeners) process.off(signal, listener);
  }

  #whenStarted(act: (target: Target) => void): void {
    if (this.#target === null) this.#early.push(act);
    else act(this.#target);
  }

  /** A person's second Ctrl-C at a terminal means: now. A second signal of a program is a signal like the first. */
  #interrupt(signal: NodeJS.Signals): void {
    const byPerson = signal === 'SIGINT' && ownsTerminal();
    this.isInterrupted ||= signal === 'SIGINT';
    this.#whenStarted(({ handle, display }) => {
      if (handle.interrupt(signal, byPerson)) display.hurry();
    });
  }

  #pass(signal: NodeJS.Signals): void {
    this.#whenStarted(({ handle }) => void handle.pass(signal));
  }

  /** Without a command there is nothing to stop but this process. */
  #pause(): void {
    const stopping = this.#target?.handle.pause() ?? Promise.resolve();
    void stopping.finally(() => process.kill(process.pid, 'SIGSTOP'));
  }
}
