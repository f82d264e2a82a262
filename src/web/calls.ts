import { askWhy } from '../control/client/ask-why.js';
import { callDaemon } from '../control/client/daemon-client.js';
import { doctor } from '../control/doctor.js';
import { histories } from '../control/history/history.js';
import { listProcesses } from '../control/local/processes.js';
import { readStory, readStoryFile } from '../control/local/run-story.js';
import { checkOrphans, killOrphans } from '../control/orphans/orphans.js';
import { ownUmask } from '../control/own-umask.js';
import { checkPid } from '../control/why.js';
import { Failure } from '../model/failure.js';
import type { OperationName } from '../model/operations/operations.js';
import type { WebCallName, WebCalls } from '../model/web.js';
import { inspectHere } from './inspect-here.js';

/** `act`: refused with --read-only. `closed`: not for pages. */
type Access = 'read' | 'act' | 'closed';

/** Every operation. A page starts nothing that was not started before. */
const access: Record<OperationName, Access> = {
  start: 'closed',
  list: 'read',
  changes: 'read',
  samples: 'read',
  poll: 'closed',
  log: 'read',
  read: 'closed',
  wait: 'closed',
  waitMany: 'closed',
  kill: 'act',
  killAll: 'closed',
  killPart: 'act',
  restart: 'act',
  rerun: 'act',
  pause: 'act',
  resume: 'act',
  signal: 'act',
  remove: 'act',
  write: 'act',
  submit: 'act',
  close: 'act',
  resize: 'act',
  isActive: 'read',
  handOver: 'closed',
  inspect: 'read',
  notices: 'read',
  orphans: 'read',
  toolBegan: 'closed',
  toolEnded: 'closed',
};

const ownAccess: Record<WebCallName, Access> = {
  why: 'read',
  story: 'read',
  file: 'read',
  processes: 'read',
  findOrphans: 'read',
  killOrphans: 'act',
  histories: 'read',
  doctor: 'read',
  fleet: 'read',
};

export interface CallContext {
  env: NodeJS.ProcessEnv;
  readOnly: boolean;
  signal: AbortSignal;
}

type Input = Record<string, unknown>;
type Own = {
  [Name in WebCallName]: (input: Input, context: CallContext) => Promise<WebCalls[Name]['output']>;
};

/** What the server does itself; the inputs come from outside. */
const own: Own = {
  why: ({ id, pid }, context) =>
    askWhy(typeof id === 'string' ? checkId(id) : checkPid(Number(pid)), context),
  story: async ({ id }, context) => readStory(await directoryOf(id, context)),
  file: async ({ id, name }, context) => readStoryFile(await directoryOf(id, context), String(name)),
  processes: async () => ({ processes: listProcesses(), uid: process.getuid?.() ?? -1 }),
  findOrphans: async () => ({ orphans: (await checkOrphans({})).orphans }),
  killOrphans: ({ force, dryRun }, { signal }) =>
    killOrphans({ force: force === true, dryRun: dryRun === true, signal }),
  histories: async (_, { env }) => ({ histories: histories(env) }),
  doctor: () => doctor(),
  // The library of NATS is loaded by those that have a fleet.
  fleet: async (_, { env, signal }) =>
    (await import('../control/fleet/list.js')).listFleet({}, { env, signal }),
};

const idCharsMax = 500;

/** It becomes an argument of a command. */
function checkId(id: string): string {
  if (id.length <= idCharsMax && !id.includes('\0')) return id;
  throw new Failure('bad-input', 'this is not the id of a run', 'reload the page');
}

async function directoryOf(id: unknown, context: CallContext): Promise<string> {
  return (await inspectHere(String(id), context)).directory;
}

/** Does what a page asks for, or throws a Failure. */
export async function answerCall(name: string, input: Input, context: CallContext): Promise<unknown> {
  const isOwn = Object.hasOwn(ownAccess, name);
  const kind = isOwn
    ? ownAccess[name as WebCallName]
    : Object.hasOwn(access, name)
      ? access[name as OperationName]
      : 'closed';
  if (kind === 'closed') {
    throw new Failure('unsupported', `a page cannot do this: ${name.slice(0, 40)}`, 'use the command line');
  }
  const onlyShows = name === 'killOrphans' && input.dryRun === true;
  const acts = (kind === 'act' && !onlyShows) || (name === 'notices' && input.ack !== undefined);
  if (acts && context.readOnly) {
    throw new Failure(
      'not-yours',
      'this dashboard only shows: it was started with --read-only',
      'start another one: unstuck web',
    );
  }
  if (isOwn) return own[name as WebCallName](input, context);
  const { env, signal } = context;
  const caller = name === 'rerun' || name === 'restart' ? { inherit: { ...env }, umask: ownUmask() } : {};
  return callDaemon(name, { ...input, ...caller }, { env, signal });
}
