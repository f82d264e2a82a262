import type { CommandOptions } from '../../model/operations/command-options.js';
import type { Exit } from '../../model/run/run.js';

/** What was asked for. Nothing of it changes later. */
export interface JobOrder {
  id: string;
  queue: string;
  /** Labels that the host must have. */
  needs: string[];
  command: string | string[];
  /** Directory on the host; its user's home directory if not given. */
  cwd?: string;
  env?: Record<string, string>;
  options?: CommandOptions;
  label?: string;
  /** Run it once more on another host when its host is lost. */
  againIfLost: boolean;
  addedAt: string;
  addedBy: string;
}

interface LostState {
  is: 'lost';
  host: string;
  machine?: string;
  runId?: string;
  cancelAsked?: true;
  lostAt: string;
  reason: string;
  reported?: true;
}

/** Each state with what is known in it. `machine`: the id that the host had when it joined; its name may be given again. */
export type JobState =
  | { is: 'queued' }
  /** `runId` is missing between the claim and the start. */
  | { is: 'running'; host: string; machine?: string; claimedAt: string; runId?: string; cancelAsked?: true }
  /** `exit` is missing when the command could not be started; `reason` says why. */
  | { is: 'ended'; host: string; runId?: string; endedAt: string; exit?: Exit; reason?: string }
  /** The host has not been seen for too long. It may come back, and a cancelled job is stopped then. */
  | LostState
  | { is: 'cancelled'; at: string };

export interface Job extends JobOrder {
  state: JobState;
  /** Starts with 1; each retry adds one. */
  attempt: number;
  /** Number of its message in the stream; missing: it was not confirmed yet. */
  message?: number;
}

export type JobEvent =
  | { kind: 'published'; message: number }
  /** Its message is gone without a claim. */
  | { kind: 'unpublished'; message: number }
  | { kind: 'claimed'; host: string; machine: string; at: string }
  | { kind: 'started'; host: string; attempt: number; runId: string }
  | { kind: 'ended'; host: string; attempt: number; at: string; exit?: Exit; reason?: string }
  | { kind: 'host-away'; host: string; at: string; reason: string }
  /** The event of its loss is in the stream. */
  | { kind: 'reported'; lostAt: string }
  | { kind: 'host-back'; host: string; machine: string; attempt: number; at: string }
  | { kind: 'cancel'; at: string }
  | { kind: 'retry' };

export const newJob = (order: JobOrder): Job => ({ ...order, state: { is: 'queued' }, attempt: 1 });

/** The job after an event; null: the event does not apply, and nothing is written. */
export function nextJob(job: Job, event: JobEvent): Job | null {
  const { state } = job;
  const isTheirs = (host: string, attempt: number) =>
    (state.is === 'running' || state.is === 'lost') && state.host === host && job.attempt === attempt;
  switch (event.kind) {
    case 'published':
      return state.is === 'queued' && job.message === undefined ? { ...job, message: event.message } : null;
    case 'unpublished':
      return state.is === 'queued' && job.message === event.message ? withoutMessage(job) : null;
    case 'claimed':
      return state.is === 'queued'
        ? { ...job, state: { is: 'running', host: event.host, machine: event.machine, claimedAt: event.at } }
        : null;
    case 'started':
      return state.is === 'running' && isTheirs(event.host, event.attempt) && state.runId === undefined
        ? { ...job, state: { ...state, runId: event.runId } }
        : null;
    case 'ended':
      return (state.is === 'running' || state.is === 'lost') && isTheirs(event.host, event.attempt)
        ? { ...job, state: endedState(state, event) }
        : null;
    case 'host-away':
      if (state.is !== 'running' || state.host !== event.host) return null;
      return job.againIfLost && state.cancelAsked !== true
        ? again(job)
        : { ...job, state: lostState(state, event) };
    case 'reported':
      return state.is === 'lost' && state.lostAt === event.lostAt && state.reported !== true
        ? { ...job, state: { ...state, reported: true } }
        : null;
    case 'host-back':
      return state.is === 'lost' && isTheirs(event.host, event.attempt)
        ? { ...job, state: backState(state, event) }
        : null;
    case 'cancel':
      if (state.is === 'queued') return { ...job, state: { is: 'cancelled', at: event.at } };
      return (state.is === 'running' || state.is === 'lost') && state.cancelAsked !== true
        ? { ...job, state: { ...state, cancelAsked: true } }
        : null;
    case 'retry':
      return state.is === 'queued' || state.is === 'running' ? null : again(job);
  }
}

type OnHost = Extract<JobState, { is: 'running' | 'lost' }>;

const runIdOf = ({ runId }: OnHost) => (runId === undefined ? {} : { runId });
const cancelOf = ({ cancelAsked }: OnHost) => (cancelAsked === undefined ? {} : { cancelAsked });

/** A command that cannot be started is named in the reason, and may be long. A record with more is not read. */
const reasonMax = 1000;

function endedState(
  state: OnHost,
  { host, at, exit, reason }: Extract<JobEvent, { kind: 'ended' }>,
): JobState {
  const known = {
    ...(exit !== undefined && { exit }),
    ...(reason !== undefined && { reason: reason.slice(0, reasonMax) }),
  };
  return { is: 'ended', host, endedAt: at, ...runIdOf(state), ...known };
}

function lostState(state: OnHost, { host, at, reason }: Extract<JobEvent, { kind: 'host-away' }>): JobState {
  const { machine } = state;
  const known = { ...(machine !== undefined && { machine }), ...runIdOf(state), ...cancelOf(state) };
  return { is: 'lost', host, lostAt: at, reason, ...known };
}

function backState(state: OnHost, { host, machine, at }: Extract<JobEvent, { kind: 'host-back' }>): JobState {
  return { is: 'running', host, machine, claimedAt: at, ...runIdOf(state), ...cancelOf(state) };
}

const withoutMessage = ({ message: _, ...job }: Job): Job => job;

/** Queued again, under a new message. */
function again(job: Job): Job {
  return { ...withoutMessage(job), state: { is: 'queued' }, attempt: job.attempt + 1 };
}

export const isOver = ({ state: { is } }: Job) => is === 'ended' || is === 'lost' || is === 'cancelled';
