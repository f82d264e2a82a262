import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FleetEvent, followEvents } from '../../../control/fleet/events.js';
import { printable } from '../../../text/printable.js';
import { note, say } from '../../output/print.js';
import { endWithReader } from '../../shared/end-with-reader.js';
import { fail } from '../../shared/fail.js';
import { abortOnInterrupt } from '../../shared/on-interrupt.js';

export interface EventFlags {
  consumer: string;
  exec?: string | undefined;
  webhook?: string | undefined;
  json?: true | undefined;
}

/** `unstuck fleet events`: each event is acknowledged after it was handled. */
export async function runEvents(flags: EventFlags): Promise<void> {
  endWithReader();
  const { stop, release } = abortOnInterrupt();
  try {
    const onTrouble = (words: string) => note(`warning: ${words}`);
    for await (const { event, done, again } of followEvents({ ...flags, onTrouble, signal: stop.signal })) {
      if (flags.exec !== undefined && !(await handled(flags.exec, event))) again();
      else {
        say(flags.json ? JSON.stringify(event) : eventLine(event));
        await done();
      }
    }
  } catch (error) {
    if (!stop.signal.aborted) fail(error, flags.json === true);
  } finally {
    release();
  }
}

const eventLine = ({ at, host, kind, text }: FleetEvent) => printable(`${at} ${host} ${kind}: ${text}`);

/** false: the command failed, and the event is given again. */
async function handled(line: string, event: FleetEvent): Promise<boolean> {
  const child = spawn('sh', ['-c', line], { stdio: ['pipe', 'inherit', 'inherit'] });
  child.stdin.on('error', () => {});
  child.stdin.end(`${JSON.stringify(event)}\n`);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) note(`warning: the command ended with ${code ?? 'a signal'}; the event comes again`);
  return code === 0;
}
