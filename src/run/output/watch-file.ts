import fs from 'node:fs';

const pollMs = 1000;

/**
 * Calls back when a file changes; returns a function that stops it. inotify reports a change at once but is not
 * reliable: its limits may be reached, and it drops events when its queue is full. So the file is polled as well.
 */
export function watchFile(path: string, changed: () => void): () => void {
  let seen = versionOf(path);
  const poll = setInterval(() => {
    const now = versionOf(path);
    if (now === seen) return;
    seen = now;
    changed();
  }, pollMs).unref();
  const unwatch = watchEvents(path, changed);
  return () => {
    clearInterval(poll);
    unwatch();
  };
}

/** null: it cannot be read now. */
function versionOf(path: string): string | null {
  try {
    const { size, mtimeMs } = fs.statSync(path);
    return `${size} ${mtimeMs}`;
  } catch {
    return null;
  }
}

function watchEvents(path: string, changed: () => void): () => void {
  try {
    const watcher = fs.watch(path, { persistent: false }, changed);
    watcher.on('error', () => {});
    return () => watcher.close();
  } catch {
    return () => {};
  }
}
