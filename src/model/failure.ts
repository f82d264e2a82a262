/** Expected failures, one row per code: exit code of the CLI, status of the HTTP answer. */
export const failureCodes = {
  'no-such-process': { exit: 1, status: 404 },
  'process-ended': { exit: 1, status: 409 },
  'bad-input': { exit: 125, status: 400 },
  'bad-config': { exit: 125, status: 400 },
  'bad-snapshot': { exit: 125, status: 500 },
  'future-snapshot': { exit: 125, status: 500 },
  'cannot-write': { exit: 125, status: 500 },
  'cannot-read': { exit: 125, status: 500 },
  'cannot-start': { exit: 125, status: 500 },
  'cannot-execute': { exit: 126, status: 400 },
  'command-not-found': { exit: 127, status: 400 },
  'no-such-run': { exit: 1, status: 404 },
  /** The run is over: nothing can be written to it. */
  'run-ended': { exit: 1, status: 409 },
  /** The run is not over: nothing of it is removed. */
  'run-live': { exit: 1, status: 409 },
  'input-closed': { exit: 1, status: 409 },
  'too-large': { exit: 125, status: 413 },
  'not-yours': { exit: 125, status: 403 },
  /** The daemon cannot be started or does not answer. */
  'no-daemon': { exit: 125, status: 500 },
  /** Another host or a container cannot be used. */
  'no-place': { exit: 125, status: 502 },
  /** The server of the fleet cannot be reached, or refuses this machine. */
  'no-fleet': { exit: 125, status: 502 },
  /** A host of the fleet does not answer. */
  'host-away': { exit: 1, status: 504 },
  /** A host of the fleet is there, and has no room or no time for this now. */
  busy: { exit: 1, status: 503 },
  /** A host of the fleet does not accept this from other machines. */
  'not-allowed': { exit: 125, status: 403 },
  'no-such-job': { exit: 1, status: 404 },
  unsupported: { exit: 125, status: 501 },
} as const;

/** The stable code of an error. */
export type FailureCode = keyof typeof failureCodes;

/** Parts that are loaded later may have this class once more: the mark is the same in all of them. */
const mark = Symbol.for('unstuck.failure');

/** An expected failure: a stable code, the facts in one sentence, and what to do next. */
export class Failure extends Error {
  override name = 'Failure';
  readonly code: FailureCode;
  readonly hint: string;

  constructor(code: FailureCode, message: string, hint: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.hint = hint;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    const isOne = typeof value === 'object' && value !== null && mark in value;
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this.
    return this === Failure ? isOne : Function.prototype[Symbol.hasInstance].call(this, value);
  }

  get [mark](): true {
    return true;
  }

  get exitCode(): number {
    return failureCodes[this.code].exit;
  }

  get httpStatus(): number {
    return failureCodes[this.code].status;
  }
}
