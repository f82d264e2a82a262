import { fileURLToPath } from 'node:url';
import type { AgentName } from '../../src/model/run/agent.js';

/** One turn of the scripted model: test/support/scripted-api/turns.mjs. */
type Turn = Record<string, unknown>;

export interface Scene {
  name: string;
  turns: Turn[];
  /** What must come of it. `named`: a finding about this program; `quiet`: none, ever; `model`: none, and it shows that the model is waited for. */
  expect: { named: string } | 'quiet' | 'model';
  /** Only these hang by it; the others go on by themselves. */
  hangs?: AgentName[];
  /** Only these can do it. */
  only?: AgentName[];
  /** The run is ended after this, in seconds; its own end comes earlier where there is one. */
  limitS: number;
}

const program = (name: string): string => fileURLToPath(new URL(`./programs/${name}`, import.meta.url));

/** A command of the shell, and the answer that ends the run. A command that yields is polled, as models do. */
function tool(command: string, more: Turn = {}): Turn[] {
  // The file says when it began.
  const turn = { kind: 'shell', command: `date +%s.%N >"$BENCH_BEGAN"; ${command}`, polls: true, more };
  return [turn, { kind: 'text', text: 'Done.' }];
}

const hangs: Scene[] = [
  {
    name: 'deadlock',
    turns: tool(`python3 ${program('dead.py')}`),
    expect: { named: 'python3' },
    limitS: 120,
  },
  {
    name: 'deadlock below a shell',
    turns: tool(`python3 ${program('dead.py')}; echo "ended with $?"`),
    expect: { named: 'python3' },
    limitS: 120,
  },
  {
    name: 'question',
    turns: tool(`python3 ${program('ask.py')}`),
    expect: { named: 'python3' },
    limitS: 120,
  },
  {
    name: 'question on its terminal',
    turns: tool("printf 'Continue? '; cat", { tty: true }),
    expect: { named: 'cat' },
    only: ['codex'],
    limitS: 120,
  },
  { name: 'FIFO', turns: tool('mkfifo pipe; cat pipe'), expect: { named: 'cat' }, limitS: 120 },
  { name: 'stopped', turns: tool("sh -c 'kill -STOP $$'; echo after"), expect: { named: 'sh' }, limitS: 120 },
  {
    name: 'left behind',
    turns: tool('sleep 1000 & echo started'),
    expect: { named: 'sleep' },
    hangs: ['gemini', 'opencode'],
    limitS: 120,
  },
];

const healthy: Scene[] = [
  {
    name: 'slow model',
    turns: [{ kind: 'slow', text: 'All fine.', everyMs: 37_500 }],
    expect: 'model',
    limitS: 120,
  },
  {
    name: 'silent model',
    turns: [{ kind: 'shell', command: 'echo hello' }, { kind: 'silent' }],
    expect: 'model',
    limitS: 110,
  },
  { name: 'sleep, then test', turns: tool('sleep 50; test -d /tmp'), expect: 'quiet', limitS: 120 },
  {
    name: 'compile loop',
    turns: tool(
      'for i in $(seq 12); do echo "int main() { return $i; }" >a.c; cc -O2 -o a a.c; sleep 4; done',
    ),
    expect: 'quiet',
    limitS: 150,
  },
  {
    name: 'test suite',
    turns: tool(
      `echo "import test from 'node:test'; for (let i = 0; i < 4; i++) test('t' + i, () => new Promise((done) => setTimeout(done, 11000)));" >a.test.mjs; node --test a.test.mjs`,
    ),
    expect: 'quiet',
    limitS: 150,
  },
  {
    name: 'server in the background',
    turns: [
      ...tool('nohup python3 -m http.server 8099 >/dev/null 2>&1 & echo started').slice(0, 1),
      ...tool('sleep 45; echo tested'),
    ],
    expect: 'quiet',
    limitS: 150,
  },
  {
    name: 'tail -f in the background',
    turns: [
      ...tool('touch log; nohup tail -f log >/dev/null 2>&1 & sleep 40; echo tested').slice(0, 1),
      { kind: 'text', text: 'Done.' },
    ],
    expect: 'quiet',
    limitS: 150,
  },
];

export const scenes: Scene[] = [...hangs, ...healthy];
