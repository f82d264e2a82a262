/** Expected trouble, one row per code; the exit code is what the command line ends with. */
export const failureCodes = {
  'no-such-process': { exit: 1 },
  'process-ended': { exit: 1 },
  'bad-input': { exit: 125 },
  'bad-config': { exit: 125 },
  'bad-snapshot': { exit: 125 },
  'future-snapshot': { exit: 125 },
  'cannot-write': { exit: 125 },
  'cannot-read': { exit: 125 },
  'cannot-start': { exit: 125 },
  'cannot-execute': { exit: 126 },
  'command-not-found': { exit: 127 },
  'no-such-run': { exit: 1 },
  /** It is over: nothing can be written to it any more. */
  'run-ended': { exit: 1 },
  'input-closed': { exit: 1 },
  'too-large': { exit: 125 },
  'not-yours': { exit: 125 },
  /** The daemon cannot be started or does not answer. */
  'no-daemon': { exit: 125 },
  unsupported: { exit: 125 },
} as const;

export type FailureCode = keyof typeof failureCodes;

/** An expected failure with a stable code, the facts in one sentence and what to do about it. */
export class Failure extends Error {
  override name = 'Failure';
  readonly code: FailureCode;
  readonly hint: string;

  constructor(code: FailureCode, message: string, hint: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.hint = hint;
  }

  get exitCode(): number {
    return failureCodes[this.code].exit;
  }
}
