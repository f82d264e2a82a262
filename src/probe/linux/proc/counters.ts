export interface IoCounters {
  readChars: number;
  writeChars: number;
  readCalls: number;
  writeCalls: number;
  diskBytes: number;
}

const line = /^(rchar|wchar|syscr|syscw|read_bytes|write_bytes): (\d+)$/gm;

/** /proc/PID/io. It does not count send and recv: bytes over a socket are missing here. */
export function parseIo(text: string): IoCounters {
  const value: Record<string, number> = {};
  for (const [, key = '', number] of text.matchAll(line)) value[key] = Number(number);
  return {
    readChars: value.rchar ?? 0,
    writeChars: value.wchar ?? 0,
    readCalls: value.syscr ?? 0,
    writeCalls: value.syscw ?? 0,
    diskBytes: (value.read_bytes ?? 0) + (value.write_bytes ?? 0),
  };
}

/** SIGVTALRM and SIGPROF: runtimes switch threads with them (every Ruby has such a timer), and profilers sample. */
const ofRuntimes: ReadonlySet<string> = new Set(['26', '27']);

/**
 * POSIX timers (timer_create) of a process that may end a wait. Whether one is armed shows nowhere, nor do setitimer and
 * alarm. A timer of the runtime ends no wait of the program.
 */
export function countTimers(text: string): number {
  const signals = [...text.matchAll(/^ID: .*\n(?:signal: (\d+))?/gm)].map(([, signal]) => signal ?? '');
  return signals.filter((signal) => !ofRuntimes.has(signal)).length;
}

/** SIGCHLD to SIGTTOU, SIGURG and SIGWINCH end no process. */
const harmless: ReadonlySet<number> = new Set([17, 18, 19, 20, 21, 22, 23, 28]);
const classicMax = 31;

/** POSIX timers whose signal goes to the process, which neither handles nor ignores nor blocks it: the signal ends it. */
export function countEndingTimers(
  text: string,
  { caught, ignored, blocked }: { caught: string; ignored: string; blocked: string },
): number {
  const masks = [caught, ignored, blocked];
  if (!masks.every((mask) => /^[0-9a-f]+$/i.test(mask))) return 0;
  const heard = masks.reduce((bits, mask) => bits | BigInt(`0x${mask}`), 0n);
  const signals = [...text.matchAll(/^signal: (\d+)\/.*\nnotify: signal\/pid\./gm)].map(([, signal]) =>
    Number(signal),
  );
  return signals.filter(
    (signal) =>
      signal > 0 &&
      signal <= classicMax &&
      !harmless.has(signal) &&
      (heard & (1n << BigInt(signal - 1))) === 0n,
  ).length;
}
