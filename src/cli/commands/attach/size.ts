import type { Call } from '../../shared/call.js';

/** Keeps the terminal of a run as large as ours; returns a function that stops it. */
export function attachSize(call: Call, id: string): () => void {
  const { stdout } = process;
  if (!stdout.isTTY) return () => {};
  let last: Promise<unknown> = Promise.resolve();
  const resize = (rows: number, columns: number) => {
    // If resizing fails, the size is wrong, which is not a reason to detach.
    last = last.then(() => call('resize', { id, rows, columns })).catch(() => {});
  };
  const follow = () => {
    // A terminal may have no size.
    if (stdout.rows > 0 && stdout.columns > 0) resize(stdout.rows, stdout.columns);
  };
  // A program redraws only when its size changes, so change it twice.
  if (stdout.rows > 1 && stdout.columns > 0) resize(stdout.rows - 1, stdout.columns);
  follow();
  stdout.on('resize', follow);
  return () => {
    stdout.off('resize', follow);
  };
}
