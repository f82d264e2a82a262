import path from 'node:path';
import { isAbsent } from '../../../model/facts/absence.js';
import type { ProcessFacts } from '../../../model/facts/snapshot.js';
import type { KernelFiles } from '../kernel/kernel.js';

/** They wait for children all the time and trace nothing: the search is spared. */
const shells: ReadonlySet<string> = new Set(['bash', 'busybox', 'dash', 'ksh', 'sh', 'zsh']);
const tracerOf = /^TracerPid:\t(\d+)/m;

/** Processes that a process traces: it is told of their ends and stops as if they were its children. */
export class Tracees {
  readonly #files: KernelFiles;
  #byTracer: ReadonlyMap<number, readonly number[]> | null = null;

  constructor(files: KernelFiles) {
    this.#files = files;
  }

  /** Any thread of the tracer may have attached itself. */
  of({ exe, threads }: ProcessFacts): number[] {
    if (exe !== null && shells.has(path.basename(exe))) return [];
    this.#byTracer ??= this.#search();
    const found: number[] = [];
    for (const { tid } of threads) found.push(...(this.#byTracer.get(tid) ?? []));
    return found;
  }

  #search(): Map<number, number[]> {
    const byTracer = new Map<number, number[]>();
    const listed = this.#files.numbers('/proc');
    for (const pid of isAbsent(listed) ? [] : listed) {
      const status = this.#files.text(`/proc/${pid}/status`);
      const tracer = isAbsent(status) ? 0 : Number(tracerOf.exec(status)?.[1] ?? 0);
      if (tracer !== 0) byTracer.set(tracer, [...(byTracer.get(tracer) ?? []), pid]);
    }
    return byTracer;
  }
}
