import type { OptionSpec } from '../option.js';

/** What to keep. */
export const keeping = {
  stacks: {
    kind: 'choice',
    choices: ['none', 'quiet', 'ask'],
    default: 'quiet',
    value: 'how',
    help: 'stacks of a hang: none; quiet: read from memory; ask: also ask Node (inspector) and native programs (debugger)',
  },
  keepLog: {
    kind: 'choice',
    choices: ['failure', 'always', 'never'],
    default: 'failure',
    value: 'when',
    help: 'when the full output stays on disk',
  },
  logDir: {
    kind: 'path',
    default: null,
    value: 'dir',
    help: 'where logs and evidence go instead of the state directory',
  },
  logCap: {
    kind: 'size',
    default: 1024 ** 3,
    value: 'bytes',
    help: 'of a run in the background, no more output than this stays on disk, the oldest goes; 0: no limit but its share of UNSTUCK_DISK_CAP',
  },
  report: { kind: 'path', default: null, value: 'file', help: 'write the report as JSON, however it ends' },
  junit: { kind: 'path', default: null, value: 'file', help: 'write the report as JUnit XML' },
  markdown: {
    kind: 'path',
    default: null,
    value: 'file',
    help: 'write the report as Markdown, as CI job summaries show it',
  },
} as const satisfies Record<string, OptionSpec>;
