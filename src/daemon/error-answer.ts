import { leavingStatus } from '../control/client/protocol.js';
import { Failure } from '../model/failure.js';

export interface ErrorAnswer {
  status: number;
  body: { error: { code: string; message: string; hint: string } };
}

/** Whoever gets this asks our successor. */
export const leavingAnswer: ErrorAnswer = {
  status: leavingStatus,
  body: { error: { code: 'leaving', message: 'the daemon ends', hint: 'ask again' } },
};

export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof Failure) {
    const { code, message, hint, httpStatus } = error;
    return { status: httpStatus, body: { error: { code, message, hint } } };
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    status: 500,
    body: { error: { code: 'internal', message, hint: 'this is a fault of Unstuck; daemon.log says where' } },
  };
}
