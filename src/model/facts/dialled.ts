/**
 * An address of this machine that a thread tried to reach before its present, short sleep, and on which no process
 * listens. It was found in the part of the thread's stack that is not in use any more.
 */
export interface DialledAddress {
  pid: number;
  /** `127.0.0.1:5432`, `[::1]:5432`. */
  address: string;
  /** Attempts to connect that have failed in its network namespace so far: it grows while one is made again and again. */
  failedAttempts: number;
}
