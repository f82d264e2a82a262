import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { isAbsent } from '../../model/facts/absence.js';
import { readText } from '../../probe/machine.js';
import { readRow } from '../../probe/processes.js';
import { toolPath } from '../launch/tool-path.js';
import { createSender, type Send } from '../stop/send-signal.js';
import { type Drain, drainsOf } from './drains.js';
import { HoldBack } from './hold-back.js';

const attemptsMax = 500;
const pauseMs = 1;

/**
 * Ends the cats of the shim, each at a moment when it has written all that it has read; the shim goes on with tee (SIGUSR2
 * means that). Until then the command is held back, except for a call or two of a cat at a time. `retiring` is called
 * before each end, while its log does not change.
 */
export async function retireCats(shim: number, retiring: (cat: Drain) => void): Promise<void> {
  if (toolPath('tee') === null) return;
  // First of all: a flood fills a disk while this process waits for a CPU.
  const holdBack = new HoldBack(shim);
  holdBack.hold();
  try {
    const startBytes = startBytesOfCat();
    const cats = drainsOf(shim).filter(({ name }) => name === 'cat');
    const send = createSender(shim);
    if (startBytes !== null) {
      await Promise.all(cats.map((cat) => retire(cat, startBytes, { send, retiring })));
    }
  } finally {
    holdBack.close();
  }
}

interface Ways {
  send: Send;
  retiring(cat: Drain): void;
}

async function retire(cat: Drain, startBytes: number, { send, retiring }: Ways): Promise<void> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const row = readRow(cat.pid);
    if (isAbsent(row) || row.startTicks !== cat.startTicks) return;
    if (row.state === 'T') {
      if (bytesInHand(cat.pid) === startBytes) {
        retiring(cat);
        send(cat, 'SIGUSR2');
        return;
      }
      // It goes on for about one call: a stop takes effect at the end of a call.
      send(cat, 'SIGCONT');
      send(cat, 'SIGSTOP');
    }
    await delay(pauseMs);
  }
}

/**
 * What a cat reads at its start: it prints its own numbers. The cats of the shim have this locale, too. What a child of Node
 * writes before it becomes a cat (one byte was seen) does not count.
 */
function startBytesOfCat(): number | null {
  const env = { ...process.env, LC_ALL: 'C' };
  const io = spawnSync(toolPath('cat') ?? 'cat', ['/proc/self/io'], { encoding: 'utf8', env }).stdout;
  return numbersIn(io)?.read ?? null;
}

/** Bytes that a process has read and not written; null: not known. */
function bytesInHand(pid: number): number | null {
  const text = readText(`/proc/${pid}/io`);
  const numbers = isAbsent(text) ? null : numbersIn(text);
  return numbers === null ? null : numbers.read - numbers.written;
}

function numbersIn(io: string): { read: number; written: number } | null {
  const [, read, written] = /^rchar: (\d+)\nwchar: (\d+)$/m.exec(io) ?? [];
  return read === undefined ? null : { read: Number(read), written: Number(written) };
}
