import { done, type Scene, type Turn, tool } from './scene.js';

const common = { expect: 'quiet', stage: 'stream', limitS: 90 } as const;

const onScreen = {
  name: 'asks on its screen',
  stage: 'screen',
  expect: { says: ' asks: "' },
  limitS: 120,
} as const;

const answer: Turn = { kind: 'text', text: 'All fine.' };

/** Twice this error, then the answer. */
const failing = (name: string, error: Turn): Scene => ({
  ...common,
  name,
  turns: [{ ...error, times: 2, after: answer }],
});

/** What an agent prints in all kinds of turns: the events have to be read right. */
export const streams: Scene[] = [
  { ...common, name: 'normal', turns: [...tool('echo hello').slice(0, 1), answer] },
  {
    ...common,
    name: 'failed tool',
    turns: tool('head -c 100000 /dev/zero | tr "\\0" x; exit 3'),
  },
  { ...common, name: 'long answer', turns: [{ kind: 'text', text: 'y'.repeat(100_000) }] },
  { ...common, name: 'long output', turns: tool('yes x | head -n 400000') },
  { ...common, name: 'slow tool', turns: tool('sleep 35; echo ended') },
  {
    ...common,
    name: 'three tools',
    turns: [...['one', 'two', 'three'].flatMap((word) => tool(`echo ${word}`).slice(0, 1)), done],
  },
  failing('429, then an answer', { kind: 'error', status: 429 }),
  failing('500, then an answer', { kind: 'error', status: 500 }),
  failing('overloaded, then an answer', { kind: 'error', status: 529 }),
  failing('dropped connection, then an answer', { kind: 'drop' }),
  { ...common, name: 'refused', mayLast: true, turns: [{ kind: 'error', status: 401 }] },
  {
    ...common,
    name: 'tool in the background',
    // claude and qwen know these names; the others get a command that returns at once.
    turns: tool('sleep 8; echo ended', { run_in_background: true, is_background: true }),
  },
  {
    ...common,
    name: 'asks for permission',
    asks: true,
    expect: { says: 'asks for permission' },
    turns: tool('touch asked'),
  },
  { ...onScreen, only: ['claude', 'gemini', 'opencode'], turns: tool('touch asked') },
  {
    ...onScreen,
    only: ['codex'],
    // codex asks only where its model asks for more rights; claude refuses a call with these words.
    turns: tool('touch asked', { sandbox_permissions: 'require_escalated', justification: 'may I?' }),
  },
  {
    ...common,
    name: 'hook after the result',
    only: ['claude', 'gemini'],
    endHook: 'sleep 3000; true',
    expect: { says: 'hook' },
    turns: [answer],
  },
  {
    ...common,
    name: 'lost result',
    // opencode does not notice a shell that a signal has ended.
    turns: tool("exec sh -c 'kill -KILL $$'"),
    hangs: ['opencode'],
    expect: { says: 'the result' },
    limitS: 120,
  },
];
