import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const interrupting = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A directory on the disk of the checkout, with gigabytes in it maybe: it goes, however the work ends. */
export async function withScratch<Result>(
  root: string,
  work: (dir: string) => Promise<Result>,
): Promise<Result> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const dir = mkdtempSync(join(cache, 'unstuck-bench-'));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  const leave = () => process.exit(130);
  process.once('exit', remove);
  for (const signal of interrupting) process.once(signal, leave);
  try {
    return await work(dir);
  } finally {
    remove();
    process.off('exit', remove);
    for (const signal of interrupting) process.off(signal, leave);
  }
}
