import type { InputRequiredResult, Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { badInput } from '../control/operations/bad-input.js';
import type { Told } from './answer.js';
import type { Session } from './session.js';

/** What the person at the other end said; `cannot`: the client has no way to ask. */
export type Reply = { kind: 'cannot' | 'not-asked' | 'declined' } | { kind: 'answered'; text: string };

export interface ToolContext {
  session: Session;
  /** The client does not want the answer any more; no run ever notices. */
  signal: AbortSignal;
  /** null: the client did not ask for it. */
  tellProgress: ((doneS: number, totalS: number, message: string) => void) | null;
  reply: Reply;
}

export interface Tool<Input extends z.ZodMiniObject = z.ZodMiniObject> {
  name: string;
  title: string;
  /** For a model: when to use it, and how a good call looks. */
  description: string;
  annotations: ToolAnnotations;
  input: Input;
  /** What each field means. */
  fields: Record<keyof z.output<Input>, string>;
  handle(input: z.output<Input>, context: ToolContext): Promise<Told | InputRequiredResult>;
}

/** Infers what the schema says. */
export function tool<Input extends z.ZodMiniObject>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool;
}

/** As tools/list shows it; the schema and what is checked are the same. */
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

/** Throws a Failure that names the first thing that is wrong. */
export function readInput({ name, input }: Tool, given: Record<string, unknown>): z.output<z.ZodMiniObject> {
  const parsed = input.safeParse(asMeant(given));
  if (parsed.success) return parsed.data;
  throw badInput(name, given, parsed.error.issues, Object.keys(input.shape));
}

/** Some clients send null for what is left out, and an id of digits only as a number. */
function asMeant(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, key === 'id' && typeof value === 'number' ? String(value) : value]),
  );
}
