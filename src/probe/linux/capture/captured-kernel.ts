import { isAbsent } from '../../../model/facts/absence.js';
import type { AlarmFacts } from '../../../model/facts/snapshot.js';
import type { Clock, Kernel, NativeFacts, ReaderFacts } from '../kernel/kernel.js';
import { listAlarms } from '../machine/alarms.js';
import { firstPidNamespace } from '../machine/has-proc.js';
import { parseStatus } from '../proc/status.js';
import { parseSsUnix } from '../sockets/ss.js';
import type { Capture, Reading } from './capture.js';
import { CapturedDir } from './captured-dir.js';
import { CapturedFiles } from './captured-files.js';
import { machines } from './pointer-arguments.js';

const listsMax = 3;

/** A place that was captured. It serves one snapshot: its second reading can begin once. */
export function capturedKernel(capture: Capture): Kernel {
  const files = new CapturedFiles(capture);
  const boot = files.text('/proc/sys/kernel/random/boot_id');
  const status = files.text('/proc/self/status');
  const uid = isAbsent(status) ? -1 : parseStatus(status).uid;
  const reader: ReaderFacts = {
    kernel: capture.reader.kernel,
    arch: machines[capture.reader.machine] ?? capture.reader.machine,
    bootId: isAbsent(boot) ? '' : boot.trim(),
    pid: capture.reader.pid,
    uid,
    confined: files.link('/proc/self/ns/pid') !== firstPidNamespace,
  };
  const sinceStartMs = (pid: number): number =>
    Math.max(0, (capture.clocks.get(pid)?.uptimeMs ?? capture.uptimeMs) - capture.uptimeMs);
  return {
    files,
    native: nativeOf(capture),
    cut: capture.cut ? 'not all processes were read' : null,
    lacks: 'uncaptured',
    clockMs: (clock: Clock, pid) =>
      (clock === 'realtime' ? capture.realtimeMs : capture.uptimeMs) + sinceStartMs(pid),
    schedNowMs(cpu, pid) {
      const at = capture.uptimeMs + sinceStartMs(pid);
      const sample = [...capture.clocks.values()].find((one) => one.cpu === cpu);
      return sample === undefined ? null : sample.schedMs + at - sample.uptimeMs;
    },
    reader: () => reader,
    open(pid) {
      if (!files.isWhole(pid)) return { absent: files.isListed(pid) ? 'limit' : 'gone' };
      return new CapturedDir(pid, files, capture.memory.get(pid) ?? []);
    },
    isHidden: () => false,
    alarms: () => alarmsOf(capture),
    beginSecond() {
      files.beginSecond();
      return capture.gapMs;
    },
  };
}

/** null: the process was not read whole. */
function memorySizes({ files }: Reading, pid: number): string | null {
  const status = files.get(`/proc/${pid}/status`)?.toString('latin1');
  return status === undefined ? null : (status.match(/^Vm(?:Peak|Size|Data|Stk|Exe|Lib):.*$/gm) ?? []).join();
}

/** The sizes of one memory are the same in all its processes; other memories may have the same. */
function sameMemory(first: Reading, a: number, b: number): false | null {
  const [one, other] = [memorySizes(first, a), memorySizes(first, b)];
  return one === null || other === null || one === other ? null : false;
}

function nativeOf({ ss, first }: Capture): NativeFacts {
  return {
    sameMemory: (a, b) => sameMemory(first, a, b),
    sameFiles: () => null,
    orderOfFiles: () => null,
    watchesFile: () => null,
    socketTimeouts: () => null,
    terminal: () => null,
    unixSockets: () => (ss === null ? null : parseSsUnix(ss)),
    tcpSockets: () => null,
  };
}

/** Nothing is known of earlier lists: an alarm may be as old as the machine. */
function alarmsOf({ first, gapMs }: Capture): AlarmFacts[] | null {
  let next = 0;
  const listed = listAlarms(() => {
    next += 1;
    return first.files.get(`/proc/timer_list.${next}`)?.toString('latin1') ?? { absent: 'gone' };
  }, listsMax);
  if (listed === null) return null;
  return listed.map(({ leftMs, endsMs }) => ({
    leftMs: leftMs + gapMs,
    endsMs,
    youngerThanMs: null,
    olderThanMs: 0,
  }));
}
