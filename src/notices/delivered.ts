import * as z from 'zod/mini';
import type { ProcessIdentity } from '../model/facts/identity.js';
import { knownValue } from '../model/facts/reading.js';
import { readJson } from '../store/files.js';
import type { RunDirectory } from '../store/run-directory.js';

export const targetKinds = ['command', 'webhook'] as const;

export type TargetKind = (typeof targetKinds)[number];

const fileName = 'delivered.json';
const bytesMax = 16 * 1024;

const whole = z.int().check(z.nonnegative());

const place = z.object({
  /** The last notice that was delivered or given up. */
  seq: whole,
  givenUp: whole,
  dropped: whole,
});

const content = z.object({
  command: place,
  webhook: place,
  /** The command that is getting a notice now. The next daemon waits for it. */
  running: z.nullable(z.object({ bootId: z.string(), pid: whole, startTicks: whole })),
});

type Content = z.infer<typeof content>;

/** delivered.json: how far the notices of a run have been delivered, so that the next daemon continues from there. */
export class Delivered {
  readonly #directory: RunDirectory;
  readonly #content: Content;

  constructor(directory: RunDirectory) {
    this.#directory = directory;
    this.#content = read(directory.file(fileName));
  }

  of(kind: TargetKind): Readonly<Content['command']> {
    return this.#content[kind];
  }

  get running(): ProcessIdentity | null {
    return this.#content.running;
  }

  set running(identity: ProcessIdentity | null) {
    this.#content.running = identity;
    this.#write();
  }

  /** Notices up to this number are not delivered. */
  begin(seq: number): void {
    for (const kind of targetKinds) this.#content[kind].seq = seq;
    this.#write();
  }

  settle(kind: TargetKind, seq: number, outcome: 'delivered' | 'givenUp'): void {
    const place = this.#content[kind];
    place.seq = Math.max(place.seq, seq);
    if (outcome === 'givenUp') place.givenUp += 1;
    if (kind === 'command') this.#content.running = null;
    this.#write();
  }

  drop(kind: TargetKind): void {
    this.#content[kind].dropped += 1;
    this.#write();
  }

  #write(): void {
    if (!this.#directory.exists) return;
    try {
      this.#directory.writeWhole(fileName, this.#content);
    } catch {
      // The disk is full. The next daemon may deliver again what was delivered.
    }
  }
}

/** Without the file, nothing was delivered. Throws a Failure when the file cannot be read. */
function read(file: string): Content {
  const result = content.safeParse(knownValue(readJson(file, bytesMax), fileName));
  if (result.success) return result.data;
  const nothing = () => ({ seq: 0, givenUp: 0, dropped: 0 });
  return { command: nothing(), webhook: nothing(), running: null };
}
