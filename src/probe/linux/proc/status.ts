export interface Status {
  uid: number;
  /** Ids in nested pid namespaces, outermost (that of Unstuck) first. */
  namespacePids: number[];
  caught: string;
  ignored: string;
  blocked: string;
  memoryKb: number | null;
  /** The pid of its tracer; 0: not traced. */
  tracer: number;
  seccomp: number;
}

/** Fields of /proc/PID/status; a missing field (kernel threads have no memory) is not an error. */
export function parseStatus(text: string): Status {
  const value = (key: string): string | null => {
    const start = text.startsWith(`${key}:`) ? 0 : text.indexOf(`\n${key}:`) + 1;
    if (start === 0 && !text.startsWith(`${key}:`)) return null;
    const end = text.indexOf('\n', start);
    return text.slice(start + key.length + 1, end < 0 ? undefined : end).trim();
  };
  const memory = value('VmRSS');
  const seccomp = value('Seccomp');
  return {
    uid: Number((value('Uid') ?? '-1').split(/\s+/)[1] ?? -1),
    namespacePids: (value('NSpid') ?? '').split(/\s+/).filter(Boolean).map(Number),
    caught: value('SigCgt') ?? '0',
    ignored: value('SigIgn') ?? '0',
    blocked: value('SigBlk') ?? '0',
    tracer: Number(value('TracerPid') ?? 0),
    // A kernel built without seccomp has no such line, and no filters.
    seccomp: seccomp === null ? 0 : Number(seccomp),
    memoryKb: memory === null ? null : Number.parseInt(memory, 10),
  };
}
