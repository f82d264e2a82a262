import { expectTypeOf, test } from 'vitest';
import type * as z from 'zod/mini';
import type { operations } from '../../src/control/operations/table.js';
import type { OperationName, Operations } from '../../src/model/operations/operations.js';

type Schemas = typeof operations;

type Inputs = { [Name in OperationName]: z.input<Schemas[Name]['input']> };
type Outputs = { [Name in OperationName]: z.output<Schemas[Name]['output']> };

// Compared by the compiler: tsc --noEmit fails when a schema and its published type differ.
test('every operation takes its published type', () => {
  expectTypeOf<{ [Name in OperationName]: Operations[Name]['input'] }>().toEqualTypeOf<Inputs>();
});

test('every operation returns its published type', () => {
  expectTypeOf<{ [Name in OperationName]: Operations[Name]['output'] }>().toEqualTypeOf<Outputs>();
});

test('there is a published type for every operation, and no other', () => {
  expectTypeOf<OperationName>().toEqualTypeOf<keyof Schemas>();
});
