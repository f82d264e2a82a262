/** Opens something once and shares it with all callers. A failure is not kept: the next call tries again. */
export class OpenOnce<T> {
  readonly #open: () => Promise<T>;
  #opening: Promise<T> | null = null;
  #opened: T | null = null;

  constructor(open: () => Promise<T>) {
    this.#open = open;
  }

  /** null: not open yet. */
  get opened(): T | null {
    return this.#opened;
  }

  get isOpening(): boolean {
    return this.#opening !== null && this.#opened === null;
  }

  get(): Promise<T> {
    this.#opening ??= this.#open().then(
      (opened) => {
        this.#opened = opened;
        return opened;
      },
      (error) => {
        this.#opening = null;
        throw error;
      },
    );
    return this.#opening;
  }
}
