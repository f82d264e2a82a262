// Threads of Node that wait for each other. argv[2]: all (main and two workers in Atomics.wait), child (main in execFileSync of a child that
// is deadlocked), ticking (as child, beside a worker with a timer). argv[3]: never, or after how many ms it is resolved; then the program ends.
import { execFileSync } from 'node:child_process';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const [what = 'all', when = 'never'] = process.argv.slice(2);
const ms = when === 'never' ? Number.POSITIVE_INFINITY : Number(when);

// Each holds one lock and takes the other one.
const child = `
import os, sys, threading
first, second, both = threading.Lock(), threading.Lock(), threading.Barrier(2)
def take(own, other, wait):
    with own:
        both.wait()
        if wait is None:
            with other: pass
        else:
            other.acquire(timeout=wait)
            os._exit(0)
wait = None if sys.argv[1] == "never" else int(sys.argv[1]) / 1000
threads = [threading.Thread(target=take, args=args) for args in ((first, second, None), (second, first, wait))]
for thread in threads: thread.start()
for thread in threads: thread.join()
`;

if (!isMainThread) {
  if (workerData === null) setInterval(() => undefined, 1000);
  else {
    const { words, own } = workerData;
    Atomics.wait(words, own, 0);
  }
} else if (what === 'all') {
  const words = new Int32Array(new SharedArrayBuffer(16));
  for (const own of [0, 1])
    new Worker(new URL(import.meta.url), { argv: [what, when], workerData: { words, own } });
  await new Promise((resolve) => setTimeout(resolve, 500));
  // Main gives up after a while, which ends the program.
  Atomics.wait(words, 2, 0, ms);
  process.exit(0);
} else {
  if (what === 'ticking') {
    await new Promise((resolve) =>
      new Worker(new URL(import.meta.url), { workerData: null }).once('online', resolve),
    );
  }
  execFileSync('python3', ['-c', child, when], { stdio: 'ignore' });
  process.exit(0);
}
