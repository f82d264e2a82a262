import { family, type HangCase } from '../hang-case.js';

const suites = '{root}/test/fixtures/suites';
const junit = '/usr/share/java/junit-platform-console-standalone.jar';

/** How a suite is started by each runner; what is compiled is compiled in the case's own directory. */
const runners = {
  pytest: `python3 -m pytest -p no:cacheprovider ${suites}/test_hangs.py`,
  xdist: `python3 -m pytest -p no:cacheprovider -n 2 ${suites}/test_hangs.py`,
  node: `node --test ${suites}/suite.spec.mjs`,
  vitest: `node {root}/node_modules/vitest/vitest.mjs run --root ${suites} suite.spec.mjs`,
  // The path of Debian, whose mocha another Node may run.
  mocha: `NODE_PATH=/usr/share/nodejs mocha --timeout 0 ${suites}/suite.spec.mjs`,
  go: `cp ${suites}/go/* . && GO111MODULE=off go test .`,
  rust: `mkdir -p deps && rustc --edition 2021 --test -o deps/suite-0123456789abcdef ${suites}/rust/suite.rs && deps/suite-0123456789abcdef`,
  junit: `javac -cp ${junit} -d . ${suites}/java/ChosenTest.java && java -jar ${junit} -cp . -c ChosenTest`,
} as const;

type Runner = keyof typeof runners;

const needs: Record<Runner, string[]> = {
  pytest: ['python3', 'pytest-3'],
  xdist: ['python3', 'pytest-3'],
  node: [],
  vitest: [],
  mocha: ['mocha'],
  go: ['go'],
  rust: ['rustc'],
  junit: ['javac', 'java'],
};

type Row = [name: string, runner: Runner, suite: string, why: string, more?: Partial<HangCase>];

function rows(kinds: HangCase['kinds'], table: Row[]) {
  return table.map(([name, runner, suite, why, more]) => ({
    name,
    why,
    run: [
      'sh',
      '-c',
      `export SUITE=${suite} SECONDS={eight-minutes-in-seconds} CI=1; unset VITEST; ${runners[runner]}`,
    ],
    stdin: 'null' as const,
    kinds,
    needs: needs[runner],
    ...more,
  }));
}

/** Inside a living program: the runner lives, and one of its tests does not go on. */
export const stuckSuites = family('test runner', { label: 'stuck', actor: 'its author' }, [
  ...rows(
    ['deadlock'],
    [
      ['pytest-deadlock', 'pytest', 'deadlock', 'two locks are taken in opposite order'],
      ['xdist-deadlock', 'xdist', 'deadlock', 'the same in a worker of pytest-xdist'],
      ['rust-test-deadlock', 'rust', 'deadlock', 'two mutexes are taken in opposite order'],
      ['go-test-deadlock', 'go', 'deadlock', 'two mutexes are taken in opposite order'],
      ['junit-deadlock', 'junit', 'deadlock', 'two monitors are entered in opposite order'],
      ['node-test-atomics', 'node', 'atomics', 'the test waits for a flag that nothing sets'],
      ['vitest-atomics', 'vitest', 'atomics', 'the same in a worker of vitest'],
      ['mocha-atomics', 'mocha', 'atomics', 'the same in mocha'],
    ],
  ),
  ...rows(
    ['lingering', 'service'],
    [
      ['pytest-held-open', 'pytest', 'held', 'its tests are over, and a thread still serves'],
      ['node-test-held-open', 'node', 'held', 'its tests are over, and a server still listens'],
      ['mocha-held-open', 'mocha', 'held', 'its tests are over, and a server still listens'],
      ['go-test-held-open', 'go', 'held', 'a process that a test has left behind keeps its output open'],
      [
        'node-test-left-behind',
        'node',
        'left',
        'a process that a test has left behind keeps its output open',
      ],
    ],
  ),
  ...rows(
    ['timer', 'network'],
    [
      ['pytest-port-never', 'pytest', 'port', 'the test tries to connect to a port that never opens'],
      ['junit-port-never', 'junit', 'port', 'the test tries to connect to a port that never opens'],
    ],
  ),
]);

/** The same suites, which take their time and end well. */
export const slowSuites = family('test runner', { label: 'healthy', actor: 'nobody', goesOn: true }, [
  ...rows(
    // A test that polls a port may be reported as waiting for it.
    ['timer', 'working', 'network'],
    [
      ['pytest-slow', 'pytest', 'slow', 'the test sleeps for eight minutes'],
      ['xdist-slow', 'xdist', 'slow', 'the same in a worker of pytest-xdist'],
      ['rust-test-slow', 'rust', 'slow', 'the test sleeps for eight minutes'],
      ['go-test-slow', 'go', 'slow', 'the test sleeps for eight minutes'],
      ['junit-slow', 'junit', 'slow', 'the test sleeps for eight minutes'],
      ['node-test-slow', 'node', 'slow', 'the test sleeps for eight minutes'],
      ['vitest-slow', 'vitest', 'slow', 'the test sleeps for eight minutes'],
      [
        'node-test-left-and-ends',
        'node',
        'leftShort',
        'what its test has left behind ends after eight minutes',
      ],
      ['mocha-slow', 'mocha', 'slow', 'the test sleeps for eight minutes'],
      ['pytest-port-late', 'pytest', 'late_port', 'the port opens after eight minutes'],
      ['xdist-port-late', 'xdist', 'late_port', 'the port opens after eight minutes'],
      ['node-test-port-late', 'node', 'latePort', 'the port opens after eight minutes'],
      ['vitest-port-late', 'vitest', 'latePort', 'the port opens after eight minutes'],
      ['mocha-port-late', 'mocha', 'latePort', 'the port opens after eight minutes'],
    ],
  ),
]);
