import { printJson, say } from '../../output/print.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { writtenLine } from '../write/write.js';

export async function submit(
  call: Call,
  id: string,
  text: string | undefined,
  flags: JsonFlag,
): Promise<void> {
  const output = await call('submit', { id, ...(text !== undefined && { data: text }) });
  if (flags.json) return printJson(output);
  say(writtenLine(output, id));
}

/** `unstuck submit`. */
export const runSubmit = (id: string, text: string | undefined, flags: JsonFlag) =>
  withDaemon(flags, (call) => submit(call, id, text, flags));
