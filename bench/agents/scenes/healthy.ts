import { done, type Scene, shell, tool } from './scene.js';

/** Slow models, and tools that work: none of this is stuck. */
export const healthy: Scene[] = [
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
      shell('nohup python3 -m http.server 8099 >/dev/null 2>&1 & echo started'),
      shell('sleep 45; echo tested'),
      done,
    ],
    expect: 'quiet',
    limitS: 150,
  },
  {
    name: 'tail -f in the background',
    turns: [shell('touch log; nohup tail -f log >/dev/null 2>&1 & sleep 40; echo tested'), done],
    expect: 'quiet',
    limitS: 150,
  },
];
