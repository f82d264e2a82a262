// Two worker threads that wait for messages. argv[2] idle: every argv[3] ms they get one and answer it; lost: they never answer, and main waits
// for that.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const [mode, ms] = process.argv.slice(2);

if (isMainThread) {
  const workers = [0, 1].map(() => new Worker(new URL(import.meta.url), { workerData: mode }));
  do {
    for (const worker of workers) worker.postMessage('work');
    await Promise.all(workers.map((worker) => once(worker, 'message')));
    await delay(Number(ms));
  } while (mode === 'idle');
} else {
  parentPort?.on('message', () => {
    if (workerData === 'idle') parentPort?.postMessage('done');
  });
}
