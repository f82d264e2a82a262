import { Failure } from '../model/failure.js';

/** Throws a Failure when it no longer exists. */
export function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new Failure(
      'cannot-read',
      'the current directory no longer exists',
      'cd to an existing directory',
      { cause },
    );
  }
}
