import type { InputRequiredResult } from '@modelcontextprotocol/server';
import type { WakeUp } from '../../model/run/background.js';
import type { ToolAnswer } from '../answer.js';
import type { ToolContext } from '../tool.js';

/** What `process` may be given, besides the action. */
export interface ActionInput {
  id: string;
  /** Several runs; then `id` is the first. */
  ids?: string[] | undefined;
  mode?: 'all' | 'any' | undefined;
  all: boolean;
  /** list: a machine of the fleet, or `*`. In other actions it is a part of the id. */
  host?: string | undefined;
  data?: string | undefined;
  timeoutS?: number | undefined;
  until?: WakeUp[] | undefined;
  match?: string | undefined;
  port?: number | undefined;
  quietS?: number | undefined;
  offset?: number | undefined;
  limit?: number | undefined;
  search?: string | undefined;
  errors?: boolean | undefined;
  ask?: boolean | undefined;
  task?: string | undefined;
  tag?: string | undefined;
}

/** One action of `process`: the operation of the same name, with an answer for a model. */
export interface Action {
  takes: readonly Exclude<keyof ActionInput, 'all' | 'host'>[];
  act(input: ActionInput, context: ToolContext): Promise<ToolAnswer | InputRequiredResult>;
}
