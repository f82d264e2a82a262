import { note, printJson, say } from '../../output/print.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { type FilterFlags, filterOf, nothingFound } from '../../shared/run-filter.js';
import { renderList } from './render.js';

export async function list(call: Call, flags: FilterFlags & JsonFlag): Promise<void> {
  const filter = filterOf(flags);
  const output = await call('list', filter);
  if (flags.json) return printJson(output);
  if (output.runs.length === 0 && process.stdout.isTTY) note(nothingFound(filter));
  for (const line of renderList(output.runs, process.stdout.isTTY === true)) say(line);
  for (const { id, outputLost } of output.runs) {
    if (outputLost !== undefined) note(`${id}: ${outputLost.message}`);
  }
  for (const { directory, reason } of output.unreadable) note(`cannot read ${directory}: ${reason}`);
}

/** `unstuck list`. */
export const runList = (flags: FilterFlags & JsonFlag) => withDaemon(flags, (call) => list(call, flags));
