import { printJson, say } from '../../output/print.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { runName } from '../../shared/short-id.js';

export async function close(call: Call, id: string, flags: JsonFlag): Promise<void> {
  const output = await call('close', { id });
  if (flags.json) return printJson(output);
  const name = runName(id, output.id);
  say(output.closed ? `the input of ${name} is closed` : `the input of ${name} was already closed`);
}

/** `unstuck close`. */
export const runClose = (id: string, flags: JsonFlag) => withDaemon(flags, (call) => close(call, id, flags));
