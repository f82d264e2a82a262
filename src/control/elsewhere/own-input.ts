import fs from 'node:fs';

export interface InputTaker {
  /** The next bytes are read when the promise resolves. */
  take(chunk: Buffer, signal: AbortSignal): Promise<void>;
  /** There is no more. */
  end(): void;
}

/** Reads a descriptor of this process until its end. Returns a function that stops this. */
export function onInput(fd: number, { take, end }: InputTaker): () => void {
  const stream = fs.createReadStream('', { fd, autoClose: false });
  const stopped = new AbortController();
  const read = async () => {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      await take(chunk, stopped.signal);
      if (stopped.signal.aborted) return;
    }
    end();
  };
  // An input that cannot be read any more has ended, and a command that takes no more needs none.
  read().catch(() => {});
  return () => {
    stopped.abort();
    stream.destroy();
  };
}
