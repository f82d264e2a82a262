import { Failure } from '../model/failure.js';
import type { CommandOptions } from '../model/operations/command-options.js';
import type { StartInput } from '../model/operations/inputs.js';
import type { OperationName } from '../model/operations/operations.js';
import { fitsGlob } from '../text/glob.js';

/** What a member allows besides being looked at. */
export const acceptKinds = ['start', 'kill', 'input'] as const;
export type AcceptKind = (typeof acceptKinds)[number];

export interface Accept {
  kinds: AcceptKind[];
  /** Queues whose jobs are taken; empty: all. */
  queues: string[];
  /** Commands that may be started, with * for anything; empty: all. */
  commands: string[];
}

/** `local`: never from another machine. */
type Need = 'read' | AcceptKind | 'local';

/** What each operation needs. A new operation without a row does not compile. */
export const needOf: Record<OperationName, Need> = {
  start: 'start',
  list: 'read',
  changes: 'read',
  samples: 'read',
  poll: 'read',
  log: 'read',
  read: 'read',
  wait: 'read',
  waitMany: 'read',
  kill: 'kill',
  killAll: 'kill',
  killPart: 'kill',
  restart: 'start',
  rerun: 'start',
  pause: 'kill',
  resume: 'kill',
  signal: 'kill',
  remove: 'kill',
  write: 'input',
  submit: 'input',
  close: 'input',
  resize: 'input',
  isActive: 'read',
  handOver: 'local',
  inspect: 'read',
  notices: 'read',
  orphans: 'read',
  toolBegan: 'local',
  toolEnded: 'local',
};

/** The operations that other machines may ask for, by what they need. */
export const fleetOperations = (Object.keys(needOf) as OperationName[]).filter(
  (name) => needOf[name] !== 'local',
);

/** null: not such a value. */
export function parseAccept(value: unknown): Accept | null {
  if (typeof value !== 'object' || value === null) return null;
  const { kinds, queues, commands } = value as Record<keyof Accept, unknown>;
  if (![kinds, queues, commands].every(isTexts)) return null;
  return {
    kinds: acceptKinds.filter((kind) => (kinds as string[]).includes(kind)),
    queues: queues as string[],
    commands: commands as string[],
  };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Why this host refuses an operation; null: it does not. */
export function refusal(host: string, accept: Accept, name: OperationName, input: unknown): Failure | null {
  const need = needOf[name];
  if (need === 'read') return null;
  if (need === 'local') {
    return new Failure('not-allowed', `${name} works on the same machine only`, `run it on ${host}`);
  }
  if (!accept.kinds.includes(need)) return notAccepted(host, need);
  return need !== 'start' || isStartAllowed(accept, name, input) ? null : commandNotAllowed(host, accept);
}

/** A restart may run anything that was started here before, so patterns exclude it. */
function isStartAllowed(accept: Accept, name: OperationName, input: unknown): boolean {
  return accept.commands.length === 0 || (name === 'start' && isCommandAllowed(accept, input));
}

/** Whether this host takes such a job. */
export function mayTake(
  { accept: { kinds, queues }, labels }: { accept: Accept; labels: readonly string[] },
  { queue, needs }: { queue: string; needs: readonly string[] },
): boolean {
  const takesQueue = kinds.includes('start') && (queues.length === 0 || queues.includes(queue));
  return takesQueue && needs.every((need) => labels.includes(need));
}

/** Where patterns are set, a start may have these fields: no other program, place or file comes with them. */
const plainFields: ReadonlySet<string> = new Set<keyof StartInput>([
  'command',
  'cwd',
  'label',
  'task',
  'owner',
  'tags',
  'input',
  'options',
  'waitS',
]);
const plainOptions: ReadonlySet<string> = new Set<keyof CommandOptions>([
  'timeout',
  'idleTimeout',
  'killOn',
  'killStuck',
  'killOnStall',
  'grace',
  'label',
]);

/** A pattern is compared with the whole command line, arguments joined by spaces. */
export function isCommandAllowed({ commands }: Accept, input: unknown): boolean {
  if (commands.length === 0) return true;
  const { command, options } = (input ?? {}) as { command?: unknown; options?: unknown };
  // A line for the shell may contain a second command: patterns cover programs with arguments only.
  if (!isTexts(command) || !hasOnly(input, plainFields) || !hasOnly(options, plainOptions)) return false;
  return commands.some((pattern) => fitsGlob(pattern, command.join(' ')));
}

/** An environment can make any program run another: LD_PRELOAD, PATH, MAKEFLAGS. */
const hasOnly = (value: unknown, keys: ReadonlySet<string>) =>
  Object.entries(value ?? {}).every(([key, field]) => keys.has(key) || isNothing(key, field));

/** `unstuck start` always sends these lists of variables. */
const variables: ReadonlySet<string> = new Set<keyof StartInput>(['env', 'envDeny']);

const isNothing = (key: string, field: unknown) =>
  field === undefined ||
  (variables.has(key) && typeof field === 'object' && field !== null && Object.keys(field).length === 0);

function notAccepted(host: string, need: AcceptKind): Failure {
  const what = { start: 'no commands', kill: 'no stops and signals', input: 'no input' }[need];
  return new Failure(
    'not-allowed',
    `${host} accepts ${what} from other machines`,
    `allow it on ${host}: unstuck join URL --name ${host} --accept ${need}`,
  );
}

function commandNotAllowed(host: string, { commands }: Accept): Failure {
  return new Failure(
    'not-allowed',
    `${host} does not accept this command; it accepts: ${commands.join(', ')}`,
    `allow it on ${host}: unstuck join URL --name ${host} --accept start --allow-command PATTERN`,
  );
}
