import type { Call } from './call.js';

/** Keeps the terminal of a run as large as ours; returns how to stop that. */
export function attachSize(call: Call, id: string): () => void {
  const { stdout } = process;
  if (!stdout.isTTY) return () => {};
  let last: Promise<unknown> = Promise.resolve();
  const resize = (rows: number, columns: number) => {
    // If it cannot be told, it shows in a wrong size: no reason to leave.
    last = last.then(() => call('resize', { id, rows, columns })).catch(() => {});
  };
  const follow = () => {
    // A terminal that nobody gave a size has none.
    if (stdout.rows > 0 && stdout.columns > 0) resize(stdout.rows, stdout.columns);
  };
  // A program draws itself anew only when its size changes.
  if (stdout.rows > 1 && stdout.columns > 0) resize(stdout.rows - 1, stdout.columns);
  follow();
  stdout.on('resize', follow);
  return () => {
    stdout.off('resize', follow);
  };
}
