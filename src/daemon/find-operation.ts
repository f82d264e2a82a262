import * as z from 'zod/mini';
import { nearest } from '../config/nearest.js';
import { badInput } from '../control/operations/shared/bad-input.js';
import type { Operation } from '../control/operations/shared/operation.js';
import { Failure } from '../model/failure.js';

/** Throws a Failure that names what was meant. */
export function findOperation(operations: Readonly<Record<string, Operation>>, name: string): Operation {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (operation !== undefined) return operation;
  const names = Object.keys(operations);
  const near = nearest(name, names);
  throw new Failure(
    'unsupported',
    `no such operation: ${name.slice(0, 60)}`,
    near === null ? `use one of: ${names.join(', ')}` : `did you mean ${near}?`,
  );
}

/** The input with its defaults. Throws a Failure that names the field. */
export function parseInput({ name, input }: Operation, given: unknown): unknown {
  const parsed = input.safeParse(given);
  if (parsed.success) return parsed.data;
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  throw badInput(name, given, parsed.error.issues, Object.keys(properties));
}
