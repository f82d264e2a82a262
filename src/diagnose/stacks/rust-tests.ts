import type { ProcessFacts, ThreadFacts } from '../../model/facts/snapshot.js';

/** Test programs that cargo has built. */
const testProgram = /\/deps\/[\w-]+-[0-9a-f]{16}$/;
/** `tests::two_locks`: threads carry the names of the tests they run. */
const testPath = /^[a-z_]\w*(?:::\w*)+$/i;

/** A thread that runs a test of Rust's own test harness. */
export function isTestThread({ exe, pid }: ProcessFacts, { tid, name }: ThreadFacts): boolean {
  return exe !== null && testProgram.test(exe) && tid !== pid && testPath.test(name);
}
