import { randomBytes } from 'node:crypto';
import type { ProcessSample } from '../../../model/facts/sample.js';
import { parseIo } from '../proc/counters.js';
import { parseSchedstat } from '../proc/schedstat.js';
import { parseStat } from '../proc/stat.js';
import type { RunScript } from './collect.js';
import { readers } from './collector-readers.js';
import { parseFrames } from './frames.js';

/** A sample must stay cheap: of a larger tree only so many processes are read. */
const processesMax = 300;

/** What one sample of a tree in another place shows. */
export interface PlaceSample {
  processes: ProcessSample[];
  names: Map<number, string>;
}

/** Reads the counters of a process, of its descendants, and of processes that were its descendants before. */
function sampleScript(pids: readonly number[], mark: string): string {
  return `
exec 2>/dev/null
LC_ALL=C
export LC_ALL
N=${mark}
nl='
'
IFS=' 	'$nl
${readers}
O=
Q='${pids.join(' ')}'
c=0
while [ -n "\${Q# }" ]; do
  set -- $Q
  Q=
  for p in "$@"; do
    [ $c -lt ${processesMax} ] && once "$p" || continue
    c=$((c + 1))
    B "/proc/$p/stat"
    [ -n "$v" ] || continue
    B "/proc/$p/schedstat"
    B "/proc/$p/io"
    tasks
    children
    Q="$Q $K"
  done
done
h "e 0"
printf .
`;
}

/** null: the place did not answer with a whole sample. */
export async function samplePlace(pids: readonly number[], run: RunScript): Promise<PlaceSample | null> {
  const mark = randomBytes(16).toString('hex');
  const frames = parseFrames(await run(sampleScript(pids, mark)), mark);
  if (frames.at(-1)?.letter !== 'e') return null;
  const files = new Map(
    frames.filter(({ letter }) => letter === 'f').map(({ name, bytes }) => [name, bytes]),
  );
  const sample: PlaceSample = { processes: [], names: new Map() };
  for (const [path, bytes] of files) {
    const pid = Number(/^\/proc\/(\d{1,10})\/stat$/.exec(path)?.[1] ?? Number.NaN);
    const stat = Number.isNaN(pid) ? null : parseStat(bytes);
    if (stat === null || stat.pid !== pid) continue;
    sample.names.set(pid, stat.name);
    const text = (name: string): string | undefined => files.get(`/proc/${pid}/${name}`)?.toString('latin1');
    const [io, schedstat] = [text('io'), text('schedstat')];
    const counters = io === undefined ? null : parseIo(io);
    const main = schedstat === undefined ? null : parseSchedstat(schedstat);
    sample.processes.push({
      pid,
      startTicks: stat.startTicks,
      parent: stat.parent,
      state: stat.state,
      threads: stat.threads,
      residentPages: stat.residentPages,
      cpuTicks: stat.utimeTicks + stat.stimeTicks,
      reapedCpuTicks: stat.childTicks,
      mainThread:
        main === null || main.counter === 0
          ? null
          : { ranNs: main.ranNs, delayedNs: main.delayedNs, runs: main.counter },
      io:
        counters === null
          ? null
          : {
              readChars: counters.readChars,
              writeChars: counters.writeChars,
              readBytes: counters.diskBytes,
              writeBytes: 0,
            },
    });
  }
  return sample;
}
