/** Sends bytes in order, one request at a time; keys pressed meanwhile go with the next request. */
export class KeySender {
  readonly #send: (bytes: Buffer) => Promise<unknown>;
  readonly #failed: (error: unknown) => void;
  #waiting: Buffer[] = [];
  #sending: Promise<void> | null = null;

  constructor(send: (bytes: Buffer) => Promise<unknown>, failed: (error: unknown) => void) {
    this.#send = send;
    this.#failed = failed;
  }

  /** Resolves when all keys pressed so far are sent, or sending failed. */
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
