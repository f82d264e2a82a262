import type { Job } from '../../../control/fleet/queue.js';
import { type Exit, exitWords } from '../../../model/run/run.js';
import { redact, redactWords } from '../../../redact/redact.js';
import { printable } from '../../../text/printable.js';

/** Jobs that are over and shown without --all. */
const overShown = 20;

/** The job as JSON: where it ran, under which id, and how it ended. */
export function jobSummary(job: Job) {
  const { id, queue, needs, command, label, attempt, addedAt, addedBy, state } = job;
  const at =
    'host' in state ? { host: state.host, ...(state.runId !== undefined && { id: state.runId }) } : {};
  return {
    job: id,
    queue,
    needs,
    command: lineOf(command),
    ...(label !== undefined && { label }),
    attempt,
    addedAt,
    addedBy,
    status: state.is,
    ...at,
    ...(state.is === 'ended' && state.exit !== undefined && { exit: state.exit }),
    ...('reason' in state && state.reason !== undefined && { reason: state.reason }),
  };
}

/** Secrets masked. */
const lineOf = (command: Job['command']) =>
  typeof command === 'string' ? redact(command) : redactWords(command, (word) => word);

/** `job_7c1e… ended on build1: exit 0`. */
export function jobLine(job: Job): string {
  return `${job.id} ${stateWords(job)}`;
}

function stateWords({ state }: Job): string {
  switch (state.is) {
    case 'queued':
      return 'waits for a free host';
    case 'running':
      return `runs on ${state.host}${state.cancelAsked === true ? ', is being stopped' : ''}`;
    case 'ended':
      return `ended on ${state.host}: ${endWords(state)}`;
    case 'lost':
      return `is lost: ${printable(state.reason)}${state.cancelAsked === true ? '; it is stopped when the host is back' : ''}`;
    case 'cancelled':
      return 'was cancelled before it started';
  }
}

function endWords({ exit, reason }: { exit?: Exit; reason?: string }): string {
  const words = exit === undefined ? [] : [exitWords(exit)];
  return printable([...words, ...(reason === undefined ? [] : [reason])].join(', '));
}

/** A line per job: the newest last. */
export function jobLines(jobs: readonly Job[], all: boolean): string[] {
  if (jobs.length === 0) return ['no jobs; add one: unstuck queue add -- make test'];
  const isOver = ({ state: { is } }: Job) => is !== 'queued' && is !== 'running';
  const over = jobs.filter(isOver);
  const hidden = all ? new Set<Job>() : new Set(over.slice(0, Math.max(0, over.length - overShown)));
  const lines = jobs
    .filter((job) => !hidden.has(job))
    .map(
      (job) => `${job.id}  ${job.queue}  ${stateWords(job)}  ${printable(lineOf(job.command)).slice(0, 80)}`,
    );
  return hidden.size === 0 ? lines : [...lines, `and ${hidden.size} older ones: unstuck queue ls --all`];
}
