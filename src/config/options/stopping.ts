import type { OptionSpec } from '../option.js';

/** When to stop it. */
export const stopping = {
  timeout: { kind: 'duration', default: '0', help: 'stop it after this time, exit code 124; 0: never' },
  idleTimeout: {
    kind: 'duration',
    default: '0',
    help: 'stop it when it printed nothing for this time, exit code 121; 0: never',
  },
  killOn: {
    kind: 'choice',
    choices: ['never', 'certain', 'high', 'medium'],
    default: 'never',
    value: 'confidence',
    help: 'stop it when it is stuck with at least this confidence, exit code 121',
  },
  killStuck: {
    kind: 'choice',
    choices: ['never', 'part', 'tree'],
    default: 'never',
    value: 'what',
    help: 'when a part of it is proven stuck while the rest goes on: stop that part only, so that its parent goes on, or the whole tree (exit code 121)',
  },
  killOnStall: {
    kind: 'boolean',
    default: false,
    help: 'stop it when its output stalls: the same line over and over, or progress that ended',
  },
  grace: { kind: 'duration', default: '5s', help: 'time between SIGTERM and SIGKILL, for the whole tree' },
  leftovers: {
    kind: 'choice',
    choices: ['keep', 'kill'],
    default: 'keep',
    value: 'what',
    help: 'what happens to processes that outlive the command',
  },
  linger: {
    kind: 'duration',
    default: '2s',
    help: 'how long to wait for output that a left-over process holds open',
  },
} as const satisfies Record<string, OptionSpec>;
