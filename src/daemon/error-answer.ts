import { leavingStatus } from '../control/client/protocol.js';
import { Failure, type FailureCode } from '../model/failure.js';

export interface ErrorAnswer {
  status: number;
  body: { error: { code: string; message: string; hint: string } };
}

/** What has no row of its own is ours to mend: 500. */
const statuses: Partial<Record<FailureCode, number>> = {
  'bad-input': 400,
  'bad-config': 400,
  'cannot-execute': 400,
  'command-not-found': 400,
  'not-yours': 403,
  'no-such-run': 404,
  'no-such-process': 404,
  'run-ended': 409,
  'process-ended': 409,
  'input-closed': 409,
  'too-large': 413,
  unsupported: 501,
};

/** Whoever gets this asks our successor. */
export const leavingAnswer: ErrorAnswer = {
  status: leavingStatus,
  body: { error: { code: 'leaving', message: 'the daemon ends', hint: 'ask again' } },
};

export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof Failure) {
    const { code, message, hint } = error;
    return { status: statuses[code] ?? 500, body: { error: { code, message, hint } } };
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    status: 500,
    body: { error: { code: 'internal', message, hint: 'this is a fault of Unstuck; daemon.log says where' } },
  };
}
