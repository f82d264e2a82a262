import { leaving } from '../control/client/protocol.js';
import { Failure } from '../model/failure.js';

export interface ErrorAnswer {
  status: number;
  body: { error: { code: string; message: string; hint: string } };
}

/** A client that gets this asks the next daemon. */
export const leavingAnswer: ErrorAnswer = {
  status: leaving.status,
  body: { error: { code: leaving.code, message: 'the daemon is shutting down', hint: 'try again' } },
};

export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof Failure) {
    const { code, message, hint, httpStatus } = error;
    return { status: httpStatus, body: { error: { code, message, hint } } };
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    status: 500,
    body: {
      error: {
        code: 'internal',
        message,
        hint: 'this is a bug in Unstuck; see daemon.log in the state directory',
      },
    },
  };
}
