import type { InputRequiredResult, Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { badInput } from '../control/operations/shared/bad-input.js';
import type { ToolAnswer } from './answer.js';
import type { Session } from './session.js';

/** The answer of the user; `cannot`: the client cannot ask. */
export type Reply = { kind: 'cannot' | 'not-asked' | 'declined' } | { kind: 'answered'; text: string };

export interface ToolContext {
  session: Session;
  /** Aborted when the client cancels the call; this never affects a run. */
  signal: AbortSignal;
  /** null: the client did not request progress. */
  reportProgress: ((doneS: number, totalS: number, message: string) => void) | null;
  reply: Reply;
}

export interface Tool<Input extends z.ZodMiniObject = z.ZodMiniObject> {
  name: string;
  title: string;
  /** For a model: when to use it, with examples of good calls. */
  description: string;
  annotations: ToolAnnotations;
  input: Input;
  /** What each field means. */
  fields: Record<keyof z.output<Input>, string>;
  handle(input: z.output<Input>, context: ToolContext): Promise<ToolAnswer | InputRequiredResult>;
}

/** Infers the input type from the schema. */
export function tool<Input extends z.ZodMiniObject>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool;
}

/** The entry in tools/list; input is checked against the same schema. */
export function describe({ name, title, description, annotations, input, fields }: Tool): ListedTool {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([field, shape]) => [
      field,
      { ...(shape as object), description: fields[field] ?? '' },
    ]),
  );
  const { required = [] } = schema;
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
  };
}

/** Throws a Failure that names the first problem. */
export function readInput({ name, input }: Tool, given: Record<string, unknown>): z.output<z.ZodMiniObject> {
  const parsed = input.safeParse(normalise(given));
  if (parsed.success) return parsed.data;
  throw badInput(name, given, parsed.error.issues, Object.keys(input.shape));
}

/** Some clients send null for omitted fields, and an all-digit id as a number. */
function normalise(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, key === 'id' && typeof value === 'number' ? String(value) : value]),
  );
}
