const runIdKey = Buffer.from('UNSTUCK_RUN_ID=');

/** Only our own run id is ever taken out of an environment; nothing else of it is kept or shown. */
export function runIdIn(environ: Buffer): string | null {
  let start = 0;
  while (start < environ.length) {
    const end = environ.indexOf(0, start);
    const entry = environ.subarray(start, end < 0 ? environ.length : end);
    if (entry.subarray(0, runIdKey.length).equals(runIdKey)) {
      const id = entry.subarray(runIdKey.length).toString('latin1');
      return /^run_[0-9a-f]{12}$/.test(id) ? id : null;
    }
    if (end < 0) return null;
    start = end + 1;
  }
  return null;
}
