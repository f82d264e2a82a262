import type { OperationName } from '../../model/operations/operations.js';
import { toolBegan, toolEnded } from '../hooks/operations.js';
import { close } from './close.js';
import { changes } from './follow/changes.js';
import { read } from './follow/read.js';
import { samples } from './follow/samples.js';
import { handOver } from './hand-over.js';
import { inspect } from './inspect.js';
import { kill } from './kill.js';
import { list } from './list.js';
import { log } from './log.js';
import { notices } from './notices.js';
import { orphans } from './orphans.js';
import { pause, resume, signal } from './pause.js';
import { poll } from './poll.js';
import { remove } from './remove.js';
import { resize } from './resize.js';
import { rerun, restart } from './restart.js';
import { isActive } from './shared/is-active.js';
import { start } from './start.js';
import { killAll } from './stop/kill-all.js';
import { killPart } from './stop/kill-part.js';
import { submit } from './submit.js';
import { wait } from './wait.js';
import { waitMany } from './wait-many.js';
import { write } from './write.js';

/** All operations on background runs. The CLI, the library, HTTP and MCP call nothing else. */
export const operations = {
  start,
  list,
  changes,
  samples,
  poll,
  log,
  read,
  wait,
  waitMany,
  kill,
  killAll,
  killPart,
  restart,
  rerun,
  pause,
  resume,
  signal,
  remove,
  write,
  submit,
  close,
  resize,
  isActive,
  handOver,
  inspect,
  notices,
  orphans,
  toolBegan,
  toolEnded,
} as const satisfies Record<OperationName, unknown>;

export type { OperationInput, OperationName, OperationOutput } from '../../model/operations/operations.js';
