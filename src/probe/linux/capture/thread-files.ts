/**
 * A row of stat: the name of a thread has at most 15 bytes (a kernel thread up to 63), too few for another row, so that
 * no name can pretend one.
 */
const stat = /(?:^|\n)(\d{1,10}) \([\s\S]{0,64}?\) [A-Za-z?](?: -?\d+){40,}(?=\n|$)/g;

/** `name (tid, #threads: n)`, a line, and the first value. */
const sched = /\((\d{1,10}), #threads: \d+\)\n-+\nse\.exec_start *: *[\d.]+/g;

/** Files of all threads of a process that were printed one after the other, by thread. */
export function splitThreads(file: string, bytes: Buffer): Map<number, Buffer> {
  const pattern = file === 'stat' ? stat : file === 'sched' ? sched : null;
  const files = new Map<number, Buffer>();
  if (pattern === null) return files;
  for (const match of bytes.toString('latin1').matchAll(pattern))
    files.set(Number(match[1]), Buffer.from(match[0].replace(/^\n/, ''), 'latin1'));
  return files;
}
