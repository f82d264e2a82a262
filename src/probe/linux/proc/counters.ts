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

/** POSIX timers (timer_create) of a process. setitimer and alarm show nowhere. */
export function countTimers(text: string): number {
  return text.match(/^ID: /gm)?.length ?? 0;
}
