import { collect, localShell, saveCapture } from '../probe/captures.js';

export { loadSnapshot, saveSnapshot } from '../probe/snapshots.js';

/** Writes what a plain shell of this machine reads about a process, secrets masked. */
export async function captureHere(pid: number, file: string): Promise<void> {
  await saveCapture(file, await collect(pid, localShell()));
}
