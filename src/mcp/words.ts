import type { OperationOutput } from '../control/operations/table.js';
import { formatDuration } from '../model/duration.js';
import { endNotRecorded, exitWords } from '../model/exit-words.js';

/** Sentences for a model: short, and each with what to do next. */

type Waited = OperationOutput<'wait'>;

export const instructions = `Unstuck runs commands in the background and knows whether they work, wait or are stuck, and why.
Use it for everything that may take longer than a few seconds, asks questions, or must keep running (servers, watchers, builds, tests, installs).
Pattern: start, then process {"action":"wait"}: it sleeps until the run ends, asks something, is stuck, prints a text or opens a port. Waiting costs nothing: do not poll in a loop.
A wait that ends with status "timeout" is no error: the run goes on, wait again. Unsure what it is doing? why. Before you finish: kill what nobody needs any more.`;

const call = (tool: string, input: object): string => `${tool} ${JSON.stringify(input)}`;

export const waitCall = (id: string): string => call('process', { action: 'wait', id });

/** A line of its own; none: all it printed is in the log, as far as is known. */
export function lostWords(lost: { message: string } | undefined): string[] {
  return lost === undefined ? [] : [`warning: ${lost.message}`];
}

/** What woke a wait. */
export function wokenWords({ id, status, exit, health, why, waitedS, line, port }: Waited): string {
  switch (status) {
    case 'exited':
      return `${id} has ended: ${exitWords(exit)}.`;
    case 'lost':
      return `${id} is lost: ${endNotRecorded}.`;
    case 'timeout':
      return `${id} still runs after ${formatDuration(waitedS * 1000)} of waiting, ${health}: ${why}`;
    case 'needs-input':
      return `${id} needs input: ${why}`;
    case 'stuck':
      return `${id} appears stuck (${health}): ${why}`;
    case 'match':
      return `${id} printed: ${line ?? ''}`;
    case 'port':
      return `${id} listens on port ${port ?? 'unknown'}.`;
    case 'quiet':
      return `${id} has gone quiet: ${why}`;
  }
}

/** What to do about it. */
export function afterWait({ id, status, exit, output }: Waited): string {
  const answerCall = call('process', { action: 'submit', id, data: 'ANSWER' });
  // Many wait for an answer and for other things besides: that is no proof, but a line that has not ended is a sign.
  if ((status === 'timeout' || status === 'quiet') && /\S[^\n]*[^\n]$/.test(output)) {
    return `it runs; if its last line is a question: ${answerCall}; else ${waitCall(id)}`;
  }
  switch (status) {
    case 'exited':
      return exit?.code === 0
        ? 'done; nothing to clean up'
        : call('process', { action: 'log', id, errors: true });
    case 'lost':
      return call('process', { action: 'log', id });
    case 'timeout':
      return `still running, not an error: wait again: ${waitCall(id)}`;
    case 'needs-input':
      return `${answerCall}, or "ask": true to let the person answer`;
    case 'stuck':
      return `${call('why', { id })}, then submit an answer or kill it`;
    case 'match':
    case 'port':
    case 'quiet':
      return `it goes on running; ${waitCall(id)} or ${call('process', { action: 'kill', id })} when done`;
  }
}

/** Bounded already; on lines of its own. */
export function outputWords(output: string): string {
  const text = output.trim();
  return text === '' ? '(no new output)' : text;
}
