import { callOperation } from '../../../control/client/daemon-client.js';
import { hasFleet } from '../../../control/fleet/fleet-of.js';
import { PassingWriter } from '../../output/passing-writer.js';
import { noteLost } from '../../output/print.js';
import { TerminalFilter } from '../../output/terminal-filter.js';
import { abortOnInterrupt } from '../../shared/on-interrupt.js';

interface RemoteOptions {
  /** false: what is there now. */
  follow: boolean;
  signal: AbortSignal;
  raw?: boolean | undefined;
}

const waitS = 20;

/** Every byte of a run on another host, by offset, until the run ends. */
export async function followRemote(id: string, { follow, signal, raw }: RemoteOptions): Promise<void> {
  const filter = raw === true || process.stdout.isTTY !== true ? null : new TerminalFilter();
  const out = new PassingWriter(1);
  let offset = 0;
  for (;;) {
    const answer = await callOperation('read', { id, offset, timeoutS: follow ? waitS : 0 }, { signal });
    const data = Buffer.from(answer.data, 'base64');
    if (data.length > 0) await out.write(filter === null ? data : Buffer.from(filter.push(data)));
    offset = answer.offset + data.length;
    const isAll = offset >= answer.totalBytes;
    if (isAll && (answer.status !== 'running' || !follow)) {
      if (filter !== null) await out.write(Buffer.from(filter.end()));
      noteLost(answer);
      return;
    }
  }
}

/** `HOST/ID`: a run of another machine, whose files cannot be read here. */
export const isOnHost = (id: string) => id.includes('/') && hasFleet(process.env);

/** `unstuck log HOST/ID --follow`. */
export async function followOnHost(id: string, raw: true | undefined): Promise<void> {
  const { stop, release } = abortOnInterrupt();
  try {
    await followRemote(id, { follow: true, signal: stop.signal, raw });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    release();
  }
}
