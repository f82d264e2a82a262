import { blockedRead } from './judges/blocked-read.js';
import type { MakeJudge } from './judges/judge.js';
import { multiSignal } from './judges/multi-signal.js';
import { noOutput } from './judges/no-output.js';
import { promptText } from './judges/prompt-text.js';

/** The usual ways, by the names of tables and options. */
export const usualWays = {
  'no-output': noOutput,
  'multi-signal': multiSignal,
  'prompt-text': promptText,
  'read-stdin': blockedRead,
} as const satisfies Record<string, MakeJudge>;

export type WayName = keyof typeof usualWays;

export type JudgeName = 'unstuck' | WayName;

export const judgeNames: JudgeName[] = ['unstuck', ...(Object.keys(usualWays) as WayName[])];

/** What a table says they look at. */
export const judgeWords: Record<JudgeName, string> = {
  unstuck: 'Unstuck',
  'no-output': 'no output for 10 min',
  'multi-signal': 'CPU + I/O + network + silence',
  'prompt-text': 'prompt at the end of the output',
  'read-stdin': 'main thread in read(0)',
};
