import fs from 'node:fs';

/** Calls back when a file changes; returns how to stop. Where that is not to be had, it never calls. */
export function watchFile(path: string, changed: () => void): () => void {
  try {
    const watcher = fs.watch(path, { persistent: false }, changed);
    watcher.on('error', () => {});
    return () => watcher.close();
  } catch {
    // The limit of inotify is reached: whoever waits looks every now and then anyway.
    return () => {};
  }
}
