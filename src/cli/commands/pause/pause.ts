import { say } from '../../output/print.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { eachRun } from '../../shared/each-run.js';
import { runName } from '../../shared/short-id.js';

const words = { pause: 'paused', resume: 'running' } as const;

export async function setPaused(
  call: Call,
  verb: 'pause' | 'resume',
  ids: readonly string[],
  flags: JsonFlag,
): Promise<void> {
  await eachRun(ids, flags, {
    act: (id) => call(verb, { id }),
    print: ({ id, changed }, given) =>
      say(`${runName(given, id)} is ${changed ? '' : 'already '}${words[verb]}`),
  });
}

/** `unstuck pause`. */
export const runPause = (ids: readonly string[], flags: JsonFlag) =>
  withDaemon(flags, (call) => setPaused(call, 'pause', ids, flags));

/** `unstuck resume`. */
export const runResume = (ids: readonly string[], flags: JsonFlag) =>
  withDaemon(flags, (call) => setPaused(call, 'resume', ids, flags));
