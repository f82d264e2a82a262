/** Sends bytes in order, one request at a time; what is pressed meanwhile goes together with the next. */
export class KeySender {
  readonly #send: (bytes: Buffer) => Promise<unknown>;
  readonly #failed: (error: unknown) => void;
  #waiting: Buffer[] = [];
  #sending: Promise<void> | null = null;

  constructor(send: (bytes: Buffer) => Promise<unknown>, failed: (error: unknown) => void) {
    this.#send = send;
    this.#failed = failed;
  }

  /** Resolves when all that was pressed so far has been sent, or cannot be. */
  press(bytes: Buffer): Promise<void> {
    if (bytes.length > 0) this.#waiting.push(Buffer.from(bytes));
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  get waitingBytes(): number {
    return this.#waiting.reduce((sum, { length }) => sum + length, 0);
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const bytes = Buffer.concat(this.#waiting.splice(0));
      try {
        await this.#send(bytes);
      } catch (error) {
        this.#waiting = [];
        this.#failed(error);
      }
    }
  }
}
