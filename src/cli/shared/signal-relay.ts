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
  /** Keys and the size of the terminal reach the command through its own terminal. */
  keepsTerminal: boolean;
}

/**
 * Passes on every signal that can be caught, including those that come during the start. None of them ends Unstuck while
 * the command lives. A signal that the caller ignores is ignored.
 */
export class SignalRelay {
  readonly #listeners = new Map<NodeJS.Signals, () => void>();
  #target: Target | null = null;
  #early: ((target: Target) => void)[] = [];
  readonly #unstarted = new AbortController();
  /** Signals that this process sent to its own group. */
  readonly #shared = new Set<NodeJS.Signals>();
  /** A SIGINT has come, and the command was told. */
  isInterrupted = false;
  /** A signal that ends most programs has come. */
  isStopped = false;

  constructor(ignored: readonly string[]) {
    const listen = (signal: NodeJS.Signals, act: () => void): void => {
      const listener = ignored.includes(signal) ? () => {} : oncePerTurn(act);
      this.#listeners.set(signal, listener);
      process.on(signal, listener);
    };
    for (const signal of interrupting) listen(signal, () => this.#interrupt(signal));
    for (const signal of passed) listen(signal, () => this.#pass(signal));
    listen('SIGTSTP', () => this.#pause());
    for (const signal of ['SIGCONT', 'SIGWINCH'] as const) listen(signal, () => this.#passUnlessKept(signal));
  }

  /** Aborted by a signal that ends most programs, while there is no command yet. The reason is its name. */
  get unstarted(): AbortSignal {
    return this.#unstarted.signal;
  }

  to(handle: RunHandle, display: RunDisplay, keepsTerminal: boolean): void {
    const target = { handle, display, keepsTerminal };
    this.#target = target;
    for (const act of this.#early.splice(0)) act(target);
  }

  /**
   * A key has sent a signal to the command through its own terminal. The programs around us get it too, as they would
   * without us: a script ends its loop after Ctrl-C.
   */
  share(signal: NodeJS.Signals): void {
    this.#shared.add(signal);
    process.kill(0, signal);
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
    if (this.#shared.delete(signal)) return;
    const atTerminal = signal === 'SIGINT' && ownsTerminal();
    this.isInterrupted ||= signal === 'SIGINT';
    this.isStopped = true;
    if (this.#target === null) this.#unstarted.abort(signal);
    this.#whenStarted(({ handle, display, keepsTerminal }) => {
      const byPerson = atTerminal && !keepsTerminal;
      if (handle.interrupt(signal, byPerson)) display.hurry();
    });
  }

  #pass(signal: NodeJS.Signals): void {
    this.#whenStarted(({ handle }) => void handle.pass(signal));
  }

  /** The shell inside a terminal continues a job, and the terminal reports its size. */
  #passUnlessKept(signal: NodeJS.Signals): void {
    this.#whenStarted(({ handle, keepsTerminal }) => {
      if (!keepsTerminal) void handle.pass(signal);
    });
  }

  /** Without a command there is nothing to stop but this process. In a terminal, its shell reports that the job stopped. */
  #pause(): void {
    const stopping = this.#target?.handle.pause() ?? Promise.resolve();
    if (this.#target?.keepsTerminal === true) return;
    void stopping.finally(() => process.kill(process.pid, 'SIGSTOP'));
  }
}
