import { close, kill, write } from './act-on.js';
import type { Action } from './action.js';
import { list } from './list.js';
import { log } from './log.js';
import { poll } from './poll.js';
import { restart } from './restart.js';
import { submit } from './submit.js';
import { wait } from './wait.js';

/** Actions of `process`; each name is that of an operation. */
export const actions = { list, poll, log, wait, kill, restart, write, submit, close } satisfies Record<
  string,
  Action
>;
