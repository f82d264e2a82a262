/** Bytes that are written one at a time, and may be taken back. */
export class ShortText {
  #bytes = Buffer.alloc(0);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** -1: the index is negative. */
  at(index: number): number {
    return index < 0 ? -1 : (this.#bytes[index] as number);
  }

  put(byte: number): void {
    if (this.#size === this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(1024, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#size);
      this.#bytes = larger;
    }
    this.#bytes[this.#size++] = byte;
  }

  putNull(): void {
    for (const byte of Buffer.from('null')) this.put(byte);
  }

  cutTo(size: number): void {
    this.#size = size;
  }

  toString(): string {
    return this.#bytes.toString('utf8', 0, this.#size);
  }
}
