import { fileURLToPath } from 'node:url';
import type { AgentName } from '../../../src/model/run/agent.js';

/** One turn of the scripted model: test/support/scripted-api/turns.mjs. */
export type Turn = Record<string, unknown>;

/**
 * What must come of a scene. `named`: a finding about this program; `says`: a state of health whose reason has this text;
 * `quiet`: nothing is ever reported; `model`: the same, and it shows that the model is waited for.
 */
export type Expected = { named: string } | { says: string } | 'quiet' | 'model';

export interface Scene {
  name: string;
  turns: Turn[];
  expect: Expected;
  /** Only these hang by it; the others go on by themselves. */
  hangs?: AgentName[];
  /** Only these can do it. */
  only?: AgentName[];
  /** The run is ended after this, in seconds; its own end comes earlier where there is one. */
  limitS: number;
  /** The command of a hook that the agent runs at the end of its session. */
  endHook?: string;
  /** The agent has to ask before it runs a tool. */
  asks?: true;
  /** Some agents try again for longer than the scene lasts. */
  mayLast?: true;
  /** `stream`: only events with a visible API; what matters is that they are read right. `screen`: on a terminal. */
  stage?: 'stream' | 'screen';
}

export const program = (name: string): string =>
  fileURLToPath(new URL(`../programs/${name}`, import.meta.url));

/** A command of the shell. A command that yields is polled, as models do. The file says when it began. */
export function shell(command: string, more: Turn = {}): Turn {
  return { kind: 'shell', command: `date +%s.%N >"$BENCH_BEGAN"; ${command}`, polls: true, more };
}

/** The answer that ends the run. */
export const done: Turn = { kind: 'text', text: 'Done.' };

/** A command, and the answer that ends the run. */
export const tool = (command: string, more: Turn = {}): Turn[] => [shell(command, more), done];
