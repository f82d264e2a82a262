import { say } from '../../output/print.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { eachRun } from '../../shared/each-run.js';
import { runName } from '../../shared/short-id.js';

export interface RemoveFlags extends JsonFlag {
  force?: true | undefined;
}

export async function remove(call: Call, ids: readonly string[], flags: RemoveFlags): Promise<void> {
  await eachRun(ids, flags, {
    act: (id) => call('remove', { id, ...(flags.force && { force: true }) }),
    print: ({ id }, given) => say(`${runName(given, id)} is removed`),
  });
}

/** `unstuck remove`. */
export const runRemove = (ids: readonly string[], flags: RemoveFlags) =>
  withDaemon(flags, (call) => remove(call, ids, flags));
