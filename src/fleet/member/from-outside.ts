import type { OperationName } from '../../model/operations/operations.js';

/** Positions in output and notices that other machines use: those of this machine are not moved by them. */
const prefix = 'fleet:';
const nameMax = 64;

const positionOf: Partial<Record<OperationName, 'reader' | 'consumer'>> = {
  poll: 'reader',
  wait: 'reader',
  waitMany: 'reader',
  notices: 'consumer',
};

/** The input of an operation that another machine asks for. The operation checks it after this. */
export function inputFromOutside(name: OperationName, input: unknown): unknown {
  const field = positionOf[name];
  if (field === undefined || typeof input !== 'object' || input === null) return input;
  const { [field]: given = 'default' } = input as Record<string, unknown>;
  if (typeof given !== 'string') return input;
  return { ...input, [field]: `${prefix}${given}`.slice(0, nameMax) };
}

/** Apart from the ids that this machine uses itself. */
export const requestIdFromOutside = (requestId: string) => `from.${requestId}`;
