import v8 from 'node:v8';

const lookEveryMs = 10_000;
const growthBytesMin = 2 * 1024 * 1024;
/** At most this share of a core. */
const share = 1 / 2000;

/**
 * Collects the whole heap when it has grown: what a burst of starts leaves behind would stay until as much again is
 * needed. Without `--expose-gc` nothing is done.
 */
export function keepHeapSmall(collect: (() => void) | undefined = globalThis.gc): void {
  let keptBytes = 0;
  let restUntilMs = 0;
  const look = () => {
    const nowMs = performance.now();
    if (nowMs < restUntilMs || usedBytes() - keptBytes < growthBytesMin) return;
    collect?.();
    const endMs = performance.now();
    restUntilMs = endMs + (endMs - nowMs) / share;
    keptBytes = usedBytes();
  };
  if (collect !== undefined) setInterval(look, lookEveryMs).unref();
}

const usedBytes = () => v8.getHeapStatistics().used_heap_size;
