import type { OptionSpec } from '../option.js';

/** How to run it. */
export const running = {
  stdin: {
    kind: 'choice',
    choices: ['auto', 'null', 'inherit', 'pipe'],
    default: 'auto',
    value: 'what',
    help: 'what the command reads; auto and inherit: the input of unstuck run, pipe: a copy of it',
  },
  pty: {
    kind: 'boolean',
    default: false,
    help: 'give it a terminal of its own, as it has by default where unstuck run is at a terminal',
  },
  quietEnv: {
    kind: 'boolean',
    default: true,
    help: 'set variables that keep known tools from asking questions, such as CI=1; not at a terminal',
  },
  retry: {
    kind: 'number',
    min: 0,
    max: 100,
    whole: true,
    default: 0,
    value: 'count',
    help: 'run it again when it fails or is stopped, at most so many times; each attempt keeps its report',
  },
  history: {
    kind: 'boolean',
    default: true,
    help: 'remember how the run went, and judge it by earlier runs of the same command',
  },
  historyKey: {
    kind: 'text',
    default: null,
    value: 'name',
    help: 'runs with the same key are compared; made from command and project if not given',
  },
  projectFile: {
    kind: 'boolean',
    default: true,
    notInProjectFile: true,
    help: 'read unstuck.json of the project',
  },
} as const satisfies Record<string, OptionSpec>;
