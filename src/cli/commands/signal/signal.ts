import { Failure } from '../../../model/failure.js';
import { type SendableSignal, sendableSignals } from '../../../model/run/sendable-signals.js';
import { printJson, say } from '../../output/print.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { runName } from '../../shared/short-id.js';

const instead: Record<string, (id: string) => string> = {
  SIGKILL: (id) => `use: unstuck kill ${id} --grace 0`,
  SIGSTOP: (id) => `use: unstuck pause ${id}`,
  SIGTSTP: (id) => `use: unstuck pause ${id}`,
  SIGCONT: (id) => `use: unstuck resume ${id}`,
};

/** `HUP`, `sighup` and `SIGHUP` are the same. */
export function readSignal(text: string, id = 'ID'): SendableSignal {
  const name = `SIG${text.toUpperCase().replace(/^SIG/, '')}`;
  const found = sendableSignals.find((one) => one === name);
  if (found !== undefined) return found;
  const hint = instead[name]?.(id) ?? `use one of ${sendableSignals.map((one) => one.slice(3)).join(', ')}`;
  throw new Failure('bad-input', `${JSON.stringify(text)} is not a signal that can be sent`, hint);
}

export async function signal(call: Call, id: string, name: string, flags: JsonFlag): Promise<void> {
  const output = await call('signal', { id, signal: readSignal(name, id) });
  if (flags.json) return printJson(output);
  const { pids } = output;
  say(
    `${output.signal} sent to ${runName(id, output.id)}: ${pids.length === 1 ? 'process' : 'processes'} ${pids.join(', ')}`,
  );
}

/** `unstuck signal`. */
export const runSignal = (id: string, name: string, flags: JsonFlag) =>
  withDaemon(flags, (call) => signal(call, id, name, flags));
