import * as z from 'zod/mini';
import { knownValue } from '../../model/facts/reading.js';
import { Failure } from '../../model/failure.js';
import { redact, redactWords } from '../../redact/redact.js';
import type { RunDirectory } from '../../store/run-directory.js';
import type { StartRequest } from './prepare-start.js';

const fileName = 'request.json';

interface Kept {
  directory: RunDirectory;
  record: { background: { owner: string | null } };
}

/**
 * The request of a run, kept with it so that it can be started again. A request with a secret is not kept, and the
 * environment that it inherits only while a restart policy needs it: the next daemon has no other way to get it.
 */
export function keepRequest(directory: RunDirectory, request: StartRequest): void {
  const { inherit, ...rest } = request;
  if (rest.restart !== undefined) directory.writeWhole(fileName, request);
  else if (!hasSecret(rest)) directory.writeWhole(fileName, rest);
}

/** The chain of restarts is over: the environment is not needed any more. */
export function forgetEnvironment(directory: RunDirectory): void {
  const request = readRequest(directory);
  if (request?.inherit === undefined) return;
  const { inherit, restart, ...rest } = request;
  if (hasSecret(rest)) directory.writeWhole(fileName, {});
  else directory.writeWhole(fileName, { ...rest, ...(restart !== undefined && { restart }) });
}

/** The request of a run. Throws a Failure when it was not kept. */
export function keptRequest({ directory, record }: Kept): StartRequest {
  const request = readRequest(directory);
  // The run may have been handed over meanwhile.
  if (request !== null) return { ...request, owner: record.background.owner ?? undefined };
  throw new Failure(
    'unsupported',
    `how ${directory.id} was started is not kept, because its command or variables look like they hold a secret`,
    'start it with its whole command: unstuck start -- …',
  );
}

function hasSecret({ command, env, label = '', tags }: Omit<StartRequest, 'inherit'>): boolean {
  const same = (word: string) => word;
  const words = typeof command === 'string' ? [] : command;
  const texts = [typeof command === 'string' ? command : '', label, ...tags];
  const pairs = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return (
    redactWords(words, same) !== words.join(' ') || [...texts, ...pairs].some((text) => redact(text) !== text)
  );
}

const kept = z.object({ command: z.union([z.string(), z.array(z.string())]) });

/** null: it was not kept. The file is ours alone; its values are checked again like those of any request. */
function readRequest(directory: RunDirectory): StartRequest | null {
  const content = knownValue(directory.readJson(fileName), 'the request');
  if (!kept.safeParse(content).success) return null;
  const defaults = { env: {}, envDeny: [], tags: [], input: 'none', options: {} };
  return { ...defaults, ...(content as object) } as unknown as StartRequest;
}
