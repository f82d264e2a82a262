import { type Exit, provenances, stops } from '../../model/run/run.js';
import { runIdPattern } from '../../model/run/run-id.js';
import { isName } from '../names.js';
import { isLabel } from '../settings.js';
import type { Job, JobState } from './job.js';

type Fields = Record<string, unknown>;

const textMax = 4096;
const needsMax = 32;
/** They are in the subject of its message. A server closes the connection of a longer line (4096 with all else). */
const needsLengthMax = 2048;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= textMax;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime = (value: unknown): value is string => isText(value) && !Number.isNaN(Date.parse(value));
const isHost = (value: unknown): value is string => isText(value) && isName(value);
const isMissing = (value: unknown) => value === undefined;

/** `job_` and 12 digits, as `queue add` makes them. */
export const isJobId = (id: unknown): id is string => typeof id === 'string' && /^job_[0-9a-f]{12}$/.test(id);

/**
 * A job as its record has it; null: not one. Any machine that may write into the bucket may have written it, so each
 * field that decides, or is shown, is checked. The command and its options are checked by the operation that starts it.
 */
export function parseJob(key: string, value: unknown): Job | null {
  if (!isFields(value) || !isJobId(value.id) || value.id !== key) return null;
  const { queue, needs, command, attempt, message, addedAt, addedBy, againIfLost, cwd, env, label, options } =
    value;
  const isOrder =
    isHost(queue) &&
    Array.isArray(needs) &&
    needs.length <= needsMax &&
    needs.every((need) => isText(need) && isLabel(need)) &&
    needs.join('+').length <= needsLengthMax &&
    (typeof command === 'string' ||
      (Array.isArray(command) && command.every((one) => typeof one === 'string'))) &&
    isTime(addedAt) &&
    isText(addedBy) &&
    typeof againIfLost === 'boolean';
  const hasOptions =
    (isMissing(cwd) || isText(cwd)) &&
    (isMissing(label) || isText(label)) &&
    (isMissing(env) || isFields(env)) &&
    (isMissing(options) || isFields(options));
  const isNumbered = isCount(attempt) && attempt >= 1 && (isMissing(message) || isCount(message));
  return isOrder && hasOptions && isNumbered && isState(value.state) ? (value as unknown as Job) : null;
}

function isState(state: unknown): state is JobState {
  if (!isFields(state)) return false;
  const { runId, reason, exit, machine } = state;
  if (!isMissing(runId) && !(isText(runId) && runIdPattern.test(runId))) return false;
  if (![reason, machine].every((text) => isMissing(text) || isText(text))) return false;
  switch (state.is) {
    case 'queued':
      return true;
    case 'cancelled':
      return isTime(state.at);
    case 'running':
      return isHost(state.host) && isTime(state.claimedAt);
    case 'lost':
      return isHost(state.host) && isTime(state.lostAt) && isText(reason);
    case 'ended':
      return isHost(state.host) && isTime(state.endedAt) && (isMissing(exit) || isExit(exit));
    default:
      return false;
  }
}

function isExit(exit: unknown): exit is Exit {
  if (!isFields(exit)) return false;
  const { code, signal, provenance, stopped } = exit;
  const isKnown = provenances.some((one) => one === provenance);
  if (!isMissing(stopped) && !stops.some((one) => one === stopped)) return false;
  return isKnown && (code === null || isCount(code)) && (signal === null || isText(signal));
}
