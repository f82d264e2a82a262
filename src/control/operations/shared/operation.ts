import type * as z from 'zod/mini';
import type { Registry } from '../../../registry/registry.js';

/** Context of an operation besides its input. */
export interface OperationContext {
  registry: Registry;
  /** Aborted when the client no longer waits; the run goes on. */
  signal: AbortSignal;
  /** The same id when a request is repeated because its answer was lost: its work is not done twice. */
  requestId: string;
}

/** One operation, from which the CLI, the library, HTTP and MCP are made. */
export interface Operation<
  Name extends string = string,
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
> {
  name: Name;
  /** One line for a list of operations. */
  summary: string;
  input: Input;
  output: Output;
  handle(input: z.output<Input>, context: OperationContext): Promise<z.input<Output>> | z.input<Output>;
}

/** Infers types from the schemas. */
export function operation<
  const Name extends string,
  Input extends z.ZodMiniType,
  Output extends z.ZodMiniType,
>(definition: Operation<Name, Input, Output>): Operation<Name, Input, Output> {
  return definition;
}
