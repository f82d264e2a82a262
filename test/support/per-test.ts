import { AsyncLocalStorage } from 'node:async_hooks';

interface OwnThings {
  made: Map<symbol, unknown>;
  /** Last made, first ended. */
  ends: (() => unknown)[];
}

/** What belongs to the test that calls: tests of a file may run at the same time. */
const own = new AsyncLocalStorage<OwnThings>();

/** What hooks.ts does around every test: many files are run in one process, which loads this module once. */
export async function endOwnThings(runTest: () => Promise<void>): Promise<void> {
  const things: OwnThings = { made: new Map(), ends: [] };
  try {
    await own.run(things, runTest);
  } finally {
    await endAll(things);
  }
}

const afterEvery: (() => unknown)[] = [];

/** For modules that tests import: calls this after every test of this process. */
export function afterEveryTest(end: () => unknown): void {
  afterEvery.push(end);
}

/** What hooks.ts does after every test. */
export async function endSharedThings(): Promise<void> {
  for (const end of afterEvery) await end();
}

async function endAll({ ends }: OwnThings): Promise<void> {
  const failures: unknown[] = [];
  for (let end = ends.pop(); end; end = ends.pop()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

function ofThisTest(): OwnThings {
  const things = own.getStore();
  if (things === undefined) throw new Error('only a test can call this');
  return things;
}

/** Calls this when the test that calls is over. */
export function afterThisTest(end: () => unknown): void {
  ofThisTest().ends.push(end);
}

/** A thing that each test has its own of, made when it is first asked for and ended with the test. */
export function perTest<T>(make: () => T, end: (made: T) => unknown): () => T {
  const key = Symbol();
  return () => {
    const { made, ends } = ofThisTest();
    if (!made.has(key)) {
      const thing = make();
      made.set(key, thing);
      ends.push(() => end(thing));
    }
    return made.get(key) as T;
  };
}
