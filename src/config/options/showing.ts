import type { OptionSpec } from '../option.js';

/** What to show. */
export const showing = {
  heartbeat: { kind: 'duration', default: '1m', help: 'time between two heartbeats on stderr; 0: none' },
  status: {
    kind: 'choice',
    choices: ['auto', 'live', 'lines', 'none'],
    default: 'auto',
    value: 'how',
    help: 'health on stderr: one live line, lines, or nothing; auto: live on a terminal',
  },
  label: {
    kind: 'text',
    default: null,
    value: 'name',
    help: 'a name for it; made from the command if not given',
  },
  json: {
    kind: 'boolean',
    default: false,
    help: 'print one JSON object per event on stdout, the output of the command included',
  },
} as const satisfies Record<string, OptionSpec>;
