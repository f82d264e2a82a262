const runIdKey = Buffer.from('UNSTUCK_RUN_ID=');

/** Only our own run id is ever taken out of an environment; nothing else of it is kept or shown. */
export function runIdIn(environ: Buffer): string | null {
  for (let at = environ.indexOf(runIdKey); at >= 0; at = environ.indexOf(runIdKey, at + 1)) {
    // Only at the start of an entry: X_UNSTUCK_RUN_ID is somebody else's.
    if (at > 0 && environ[at - 1] !== 0) continue;
    const end = environ.indexOf(0, at);
    const id = environ.toString('latin1', at + runIdKey.length, end < 0 ? environ.length : end);
    return /^run_[0-9a-f]{12}$/.test(id) ? id : null;
  }
  return null;
}
