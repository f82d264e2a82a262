import type { McpOptions, WhenGone } from '../../../mcp/session.js';
import { Failure } from '../../../model/failure.js';
import type { AgentName } from './agents.js';

export interface McpFlags {
  allow?: string[] | undefined;
  deny?: string[] | undefined;
  whenGone: string;
  maxRuns: string;
  owner?: string | undefined;
  printConfig?: AgentName | undefined;
}

const maxRunsMost = 1000;

/** Throws a Failure for an invalid option. */
export function readMcpFlags({ allow = [], deny = [], whenGone, maxRuns, owner }: McpFlags): McpOptions {
  return {
    ...{ allow, deny },
    whenGone: readWhenGone(whenGone),
    maxRuns: readMaxRuns(maxRuns),
    ...(owner !== undefined && { owner: readOwner('--owner', owner) }),
  };
}

function readWhenGone(text: string): WhenGone {
  if (text === 'keep' || text === 'stop') return text;
  if (text.startsWith('to=')) return { giveTo: readOwner('--when-gone to=', text.slice('to='.length)) };
  throw new Failure('bad-input', `--when-gone is ${JSON.stringify(text)}`, 'use keep, stop, or to=NAME');
}

function readMaxRuns(text: string): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= maxRunsMost) return number;
  throw new Failure(
    'bad-input',
    `--max-runs is ${JSON.stringify(text)}`,
    `use a number from 1 to ${maxRunsMost}`,
  );
}

function readOwner(flag: string, name: string): string {
  if (/^[\w.:@+-]{1,64}$/.test(name)) return name;
  throw new Failure(
    'bad-input',
    `${flag}: not a valid owner name: ${JSON.stringify(name.slice(0, 80))}`,
    'use up to 64 letters, digits and . : @ + - _',
  );
}
