import { loadLibc } from './libc.js';

/** Some bytes of an open file. */
export interface FilePiece {
  file: number;
  at: number;
  length: number;
}

/**
 * Copies bytes of a file to another one, or to nowhere, without taking them into our own memory. Returns how many it
 * took; 0: the system cannot do that here (it is opened for appending, the disk is full). Not for what may make us wait.
 */
export function sendFile(to: number, { file, at, length }: FilePiece): number {
  const offset = Buffer.alloc(8);
  offset.writeBigInt64LE(BigInt(at));
  return Math.max(0, loadLibc()?.sendfile(to, file, offset, length) ?? 0);
}
