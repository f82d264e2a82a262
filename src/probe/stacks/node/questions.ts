/** Questions to Node, as JavaScript that it evaluates; each only reads. */

/** The test that vitest runs in this process, and what keeps the event loop open. */
export const stateQuestion = `(() => {
  const titles = (task) => (task === undefined || task === null ? [] : [...titles(task.suite), task.name]);
  const worker = globalThis.__vitest_worker__;
  const task = worker?.current;
  const file = task?.file?.filepath ?? worker?.filepath;
  const handles = typeof process.getActiveResourcesInfo === 'function' ? process.getActiveResourcesInfo() : [];
  return JSON.stringify({ name: task?.type === 'test' ? titles(task).filter(Boolean).join(' > ') : null, file: file ?? null, handles });
})()`;

/** In a context of its own jest keeps \`expect\`, which knows the test. */
export const jestQuestion = `(() => {
  const state = typeof expect === 'function' && typeof expect.getState === 'function' ? expect.getState() : null;
  if (state === null || typeof state.testPath !== 'string') return null;
  return JSON.stringify({ name: state.currentTestName ?? null, file: state.testPath });
})()`;

/** The prototype of all event emitters, to which mocha's runner belongs. */
export const mochaQuestion = 'Object.getPrototypeOf(Object.getPrototypeOf(process))';

export const mochaRunner = `function () {
  const runner = this.find((one) => typeof one.currentRunnable?.fullTitle === 'function');
  const test = runner?.currentRunnable;
  return test === undefined ? null : JSON.stringify({ name: test.state === undefined ? test.fullTitle() : null, file: test.file ?? null });
}`;

/** Closes the port again, and with it the connection that asks. */
export const closeQuestion = `void require('node:inspector').close()`;
