import type * as z from 'zod/mini';
import type { Registry } from '../../supervise/background/registry.js';

/** What every operation gets besides its input. */
export interface OperationContext {
  registry: Registry;
  /** Whoever asked is not interested any more; the run goes on. */
  signal: AbortSignal;
  /** The same when a request is made again because its answer was lost: nothing is done twice. */
  requestId: string;
}

/** One verb: the command line, the library, HTTP and MCP are made from it (I1). */
export interface Operation<
  Name extends string = string,
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
> {
  name: Name;
  /** One line, as in a list of commands. */
  summary: string;
  input: Input;
  output: Output;
  handle(input: z.output<Input>, context: OperationContext): Promise<z.input<Output>> | z.input<Output>;
}

/** Infers what the schemas say. */
export function operation<
  const Name extends string,
  Input extends z.ZodMiniType,
  Output extends z.ZodMiniType,
>(definition: Operation<Name, Input, Output>): Operation<Name, Input, Output> {
  return definition;
}
