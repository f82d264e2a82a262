import { program, type Scene, tool } from './scene.js';

const limitS = 120;

/** Tools that never end. */
export const hangs: Scene[] = [
  {
    name: 'deadlock',
    turns: tool(`python3 ${program('dead.py')}`),
    expect: { named: 'python3' },
    limitS,
  },
  {
    name: 'deadlock below a shell',
    turns: tool(`python3 ${program('dead.py')}; echo "ended with $?"`),
    expect: { named: 'python3' },
    limitS,
  },
  {
    name: 'question',
    turns: tool(`python3 ${program('ask.py')}`),
    expect: { named: 'python3' },
    limitS,
  },
  {
    name: 'question on its terminal',
    turns: tool("printf 'Continue? '; cat", { tty: true }),
    expect: { named: 'cat' },
    only: ['codex'],
    limitS,
  },
  { name: 'FIFO', turns: tool('mkfifo pipe; cat pipe'), expect: { named: 'cat' }, limitS },
  { name: 'stopped', turns: tool("sh -c 'kill -STOP $$'; echo after"), expect: { named: 'sh' }, limitS },
  {
    name: 'left behind',
    turns: tool('sleep 1000 & echo started'),
    expect: { named: 'sleep' },
    hangs: ['gemini', 'opencode'],
    limitS,
  },
];
