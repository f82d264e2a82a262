import { createRequire } from 'node:module';

/** Ends this process without waiting for anything, its own threads included; does nothing where that is not possible. */
export function leaveAtOnce(code: number): void {
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi').default;
    koffi.load(null).func('void _exit(int)')(code);
  } catch {
    // No koffi for this machine: the end comes when the reader reads, or goes.
  }
}
