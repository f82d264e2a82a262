import os from 'node:os';
import { isAbsent } from '../../../model/facts/absence.js';
import { bootId, hasNumber } from '../identity/identify.js';
import { AlarmReadings } from '../machine/alarms.js';
import { seesEveryPid } from '../machine/has-proc.js';
import { SchedClock } from '../machine/sched-clock.js';
import { orderOfFiles, sameFiles, sameMemory, watchesFile } from '../native/kcmp.js';
import { loadLibc } from '../native/libc.js';
import { readSocketTimeouts } from '../native/pidfd.js';
import { readTerminal } from '../native/terminal.js';
import { ProcDir } from '../proc/proc-dir.js';
import { diagTcp, diagUnix } from '../sockets/sock-diag.js';
import { ssUnix } from '../sockets/ss.js';
import type { Clock, Kernel, NativeFacts, ReaderFacts } from './kernel.js';
import { liveFiles } from './live-files.js';

const native: NativeFacts = {
  sameMemory,
  sameFiles,
  orderOfFiles,
  watchesFile,
  socketTimeouts: readSocketTimeouts,
  terminal: readTerminal,
  unixSockets() {
    const libc = loadLibc();
    // Where the kernel refuses to answer, ss lists sockets without what they have received.
    return libc === null ? ssUnix() : diagUnix(libc);
  },
  tcpSockets() {
    const libc = loadLibc();
    return libc === null ? null : diagTcp(libc);
  },
};

function isConfined(): boolean {
  if (!seesEveryPid()) return true;
  const mounts = process.getuid?.() === 0 ? '' : liveFiles.text('/proc/self/mountinfo');
  return typeof mounts === 'string' && /hidepid=(?!0|off)/.test(mounts);
}

function clockMs(clock: Clock): number {
  if (clock === 'realtime') return Date.now();
  if (clock === 'monotonic') return Number(process.hrtime.bigint()) / 1e6;
  const uptime = liveFiles.text('/proc/uptime');
  return isAbsent(uptime) ? 0 : Number.parseFloat(uptime) * 1000;
}

/** This machine, for the snapshots of one moment. */
export function liveKernel(): Kernel {
  const schedClock = new SchedClock();
  const alarms = new AlarmReadings();
  let reader: ReaderFacts | null = null;
  return {
    files: liveFiles,
    native,
    cut: null,
    lacks: 'unsupported',
    clockMs,
    schedNowMs: (cpu) => schedClock.nowMs(cpu),
    reader() {
      reader ??= {
        kernel: os.release(),
        arch: process.arch,
        bootId: bootId(),
        pid: process.pid,
        uid: process.getuid?.() ?? -1,
        confined: isConfined(),
      };
      return reader;
    },
    open: ProcDir.open,
    // With hidepid a living process has no directory; only a signal 0 distinguishes it from a dead process.
    isHidden: hasNumber,
    alarms: (sinceMs) => alarms.since(sinceMs),
    beginSecond: () => null,
  };
}
