import { Failure } from '../../model/failure.js';

const requestIdMax = 200;

export function checkRequestId(requestId: string): void {
  if (requestId !== '' && requestId.length <= requestIdMax) return;
  throw new Failure('bad-input', 'a request needs an id', `give it one of 1 to ${requestIdMax} characters`);
}

export function inputClosed(id: string): Failure {
  return new Failure(
    'input-closed',
    'nothing can be written: the input of the run is closed',
    `see its state: unstuck poll ${id}; or start it again with --stdin`,
  );
}

export function tooLarge(id: string, pendingBytes: number): Failure {
  const message = `the command does not read: ${pendingBytes} bytes wait for it already`;
  return new Failure('too-large', message, `see what it does: unstuck poll ${id}`);
}

export function cannotWrite(error: unknown): Failure {
  const message = `the input cannot be kept: ${(error as Error).message}`;
  return new Failure('cannot-write', message, 'make room on the disk, then write it again', { cause: error });
}
