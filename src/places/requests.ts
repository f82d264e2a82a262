import type { PlaceStream } from './place.js';

export interface Answer {
  status: number;
  text: string;
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** The requests of a session that have no answer yet. */
export class Requests {
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** `late` is called when there is no answer in time, and says what the request fails with. */
  send(stream: PlaceStream, script: string, timeoutMs: number, late: () => Error): Promise<Answer> {
    this.#lastId += 1;
    const id = this.#lastId;
    const bytes = Buffer.from(script);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(late());
      }, timeoutMs);
      this.#waiting.set(id, { resolve, reject, timer });
      stream.client.stdin.write(Buffer.concat([Buffer.from(`${id} ${bytes.length}\n`), bytes]));
    });
  }

  answer(id: number, answer: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    waiting.resolve(answer);
  }

  /** None will be answered. */
  fail(reason: Error): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject, timer } of waiting) {
      clearTimeout(timer);
      reject(reason);
    }
  }
}
