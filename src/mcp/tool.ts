import type { InputRequiredResult, Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { badInput } from '../control/operations/shared/bad-input.js';
import type { ToolAnswer } from './answer.js';
import { lenientInput } from './lenient-input.js';
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
  /** Words that a model may search for. */
  searchHint: string;
  input: Input;
  /** What each field means. */
  fields: Record<keyof z.output<Input>, string>;
  handle(input: z.output<Input>, context: ToolContext): Promise<ToolAnswer | InputRequiredResult>;
}

/** Infers the input type from the schema. */
export function tool<Input extends z.ZodMiniObject>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool;
}

/** The entry in tools/list. It says what a model needs; `readInput` checks the rest. */
export function describe(listed: Tool): ListedTool {
  const { name, title, description, annotations, searchHint, input, fields } = listed;
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([field, shape]) => [
      field,
      { ...(withoutLimits(shape) as object), description: fields[field] ?? '' },
    ]),
  );
  const { required = [] } = schema;
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    _meta: { [searchHintKey]: searchHint },
  };
}

/** Claude Code finds tools by it that it has not loaded. */
const searchHintKey = 'anthropic/searchHint';

const limits = new Set([
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'propertyNames', 'default'],
]);

/** Every field costs tokens in every session, and an error says what is wrong. */
function withoutLimits(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutLimits);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key]) => !limits.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutLimits(value)]));
}

/** Throws a Failure that names the first problem. */
export function readInput({ name, input }: Tool, given: Record<string, unknown>): z.output<z.ZodMiniObject> {
  const lenient = lenientInput(name, input.shape, given);
  const parsed = input.safeParse(lenient);
  if (parsed.success) return parsed.data;
  throw badInput(name, lenient, parsed.error.issues, Object.keys(input.shape));
}
