import { loadLibc } from './libc.js';

/** Some bytes of an open file. */
export interface FilePiece {
  file: number;
  at: number;
  length: number;
}

/**
 * Copies bytes of a file to another file, or to nowhere, without taking them into the memory of this process. Returns
 * how many were copied; 0: the system cannot do that here (the target is opened for appending, the disk is full). Not
 * for targets that may block.
 */
export function sendFile(to: number, { file, at, length }: FilePiece): number {
  const offset = Buffer.alloc(8);
  offset.writeBigInt64LE(BigInt(at));
  return Math.max(0, loadLibc()?.sendfile(to, file, offset, length) ?? 0);
}
