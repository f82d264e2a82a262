/** What a command gets from the program that started Unstuck, where Node has changed or cannot show it. */
export interface Inherited {
  /** Numbers of signals. */
  ignored: readonly number[];
  blocked: readonly number[];
  /** Soft limit of open files; undefined: that of this process. */
  openFiles: number | undefined;
  /** Open descriptors above 2. */
  descriptors: readonly number[];
  /** Those of 0, 1 and 2 that are closed. Node has opened them on /dev/null. */
  closed: readonly number[];
  bytes: InheritedBytes;
}

/** What is not UTF-8, so that a string cannot hold it. */
export interface InheritedBytes {
  /** Whole entries, `NAME=value`. */
  env: readonly Buffer[];
  /** Arguments of the command by their index. */
  words: ReadonlyMap<number, Buffer>;
}

export const nothingInherited: Inherited = {
  ignored: [],
  blocked: [],
  openFiles: undefined,
  descriptors: [],
  closed: [],
  bytes: { env: [], words: new Map() },
};
