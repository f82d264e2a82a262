/** The output format of a test runner. Patterns are linear in the length of a line. */
export interface RunnerRow {
  runner: 'pytest' | 'unittest' | 'jest' | 'vitest' | 'mocha' | 'node --test' | 'go test' | 'cargo test';
  /** All tests are over, and so is everything that runs after them. */
  ended: RegExp;
  /** A test has begun: group `name`. Absent: not printed as a line. */
  begun?: RegExp;
  /** A test or a file is over; group `name` where the line names it. */
  done: RegExp;
  /** A process runs one test after the other, and each is printed when it has ended. */
  inOrder?: true;
  /** On a line that has not ended: the test that runs. */
  open?: RegExp;
  /** Command lines of the runner itself. */
  command: RegExp;
  /** It reads the output of its test processes to the end, also after they have ended. */
  collectsOutput?: true;
  /** The option that keeps the runner from being held open; null: none worth naming. */
  advice: string | null;
}

export const runnerRows: readonly RunnerRow[] = [
  {
    runner: 'pytest',
    ended:
      /^(?:={3,} )?(?:no tests ran|\d{1,7} (?:passed|failed|skipped|deselected|xfailed|xpassed|errors?)\b.{0,200}) in \d/,
    done: /^\S{1,300}\.py::(?<name>\S{1,300}) (?:PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS)/,
    open: /^(?<name>\S{1,200}\.py::\S{1,300}) ?$/,
    command: /(?:^|[/ ])(?:pytest|py\.test)(?: |$)/,
    advice: 'end its threads in a fixture, or start them with daemon=True',
  },
  {
    runner: 'unittest',
    ended: /^Ran \d{1,7} tests? in /,
    done: /^(?<name>\w{1,200} \([\w.]{1,300}\)) \.\.\. (?:ok|FAIL|ERROR|skipped)/,
    open: /^(?<name>\w{1,200} \([\w.]{1,300}\)) \.\.\. ?$/,
    command: /(?:^|[/ ])unittest(?: |$)/,
    advice: 'end its threads in tearDown, or start them with daemon=True',
  },
  {
    runner: 'jest',
    // The summary of Jest comes before the global teardown; this line comes after it.
    ended: /^Jest did not exit one second after the test run has completed/,
    done: /^ ?(?:PASS|FAIL) {1,2}(?<name>(?:\S{1,60} )?\S{1,300}\.[cm]?[jt]sx?)(?: |$)/,
    open: /^ ?RUNS {1,2}(?<name>\S{1,300}\.[cm]?[jt]sx?)/,
    command: /(?:^|[/ ])jest(?:\.js)?(?: |$)/,
    advice: 'find what is open: jest --detectOpenHandles',
  },
  {
    runner: 'vitest',
    ended: /^ {1,6}Duration +\S{1,20} \(\w{1,20} \d/,
    // On a terminal only.
    begun: /^ ❯ (?<name>\S{1,300}\.[cm]?[jt]sx?) \d{1,6}\/\d{1,6}$/,
    done: /^ {1,3}[✓×❯↓] (?<name>(?:\|\S{1,60}\| )?\S{1,300}) \(\d{1,6} tests?/,
    command: /(?:^|[/ ])vitest(?:\.mjs)?(?: |$)|^node \(vitest/,
    advice: 'find what is open: vitest run --reporter=hanging-process',
  },
  {
    runner: 'node --test',
    ended: /^(?:#|ℹ) duration_ms \d/,
    // Mocha prints whole milliseconds.
    done: /^ {0,40}(?:not )?ok \d{1,7} - (?<name>.{1,300})$|^ {0,40}[✔✖] (?<title>.{1,300}) \(\d{1,9}\.\d{1,9}ms\)/,
    inOrder: true,
    command: /(?:^|[/ ])node(?:js)? .{0,300}--test(?: |$)/,
    collectsOutput: true,
    advice: 'close it in an after hook, or let node end: node --test --test-force-exit',
  },
  {
    runner: 'mocha',
    ended: /^ {2}\d{1,7} passing \(/,
    done: /^(?: {2}){1,20}[✔✓] (?<name>.{1,300}?)(?: \(\d{1,9}ms\))?$/,
    inOrder: true,
    command: /(?:^|[/ ])_?mocha(?:\.js)?(?: |$)/,
    advice: 'close it in an after hook, or let mocha end: mocha --exit',
  },
  {
    runner: 'go test',
    ended: /^(?:ok|FAIL) {1,4}\t?\S{1,300}\s{1,4}\d{1,6}\.\d{1,4}s$/,
    begun: /^=== (?:RUN|CONT|NAME) +(?<name>\S{1,300})$/,
    done: /^ {0,40}--- (?:PASS|FAIL|SKIP): (?<name>\S{1,300}) \(/,
    command: /(?:^|[/ ])go test(?: |$)/,
    collectsOutput: true,
    advice: null,
  },
  {
    runner: 'cargo test',
    ended: /^test result: /,
    done: /^test (?<name>.{1,300}?) \.\.\. (?:ok|FAILED|ignored)\b/,
    open: /^test (?<name>\S{1,300}) \.\.\. ?$/,
    command: /(?:^|[/ ])cargo(?:-nextest)? .{0,100}test(?: |$)|\/deps\/[\w-]{1,200}-[0-9a-f]{16}(?: |$)/,
    advice: null,
  },
];

/** Whether this command line is that of a runner that collects the output of its test processes. */
export function collectsOutput(command: string): boolean {
  return runnerRows.some((row) => row.collectsOutput === true && row.command.test(command));
}
