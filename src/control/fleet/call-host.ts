import { parseHandle } from '../../fleet/names.js';
import { Failure } from '../../model/failure.js';
import type { WaitManyInput } from '../../model/operations/inputs.js';
import type { WaitManyOutput } from '../../model/operations/outputs.js';
import type { CallOptions } from '../client/call-options.js';
import { withFleet } from './fleet-client.js';
import { hasFleet } from './fleet-of.js';

type Ask = (name: string, input: unknown, options: CallOptions) => Promise<unknown>;

/** Whether an input names a run of another host: `HOST/ID`. Without a fleet it may be a label with a slash. */
export function isForHost(input: unknown, { env = process.env, home }: CallOptions): boolean {
  if (!hasFleet(env, home)) return false;
  const { id, ids } = (input ?? {}) as { id?: unknown; ids?: unknown };
  if (typeof id === 'string') return parseHandle(id) !== null;
  return Array.isArray(ids) && ids.some((one) => typeof one === 'string' && parseHandle(one) !== null);
}

/** Does an operation on the host that its id names. Ids in the answer have the same form. `here`: this machine. */
export async function callHost(
  name: string,
  input: unknown,
  options: CallOptions,
  here: Ask,
): Promise<unknown> {
  const { id, ids } = input as { id?: string; ids?: string[] };
  if (ids !== undefined) return await onEachHost(name, input as WaitManyInput, options, here);
  const handle = parseHandle(id ?? '');
  if (handle === null) return await here(name, input, options);
  return await onHost(handle.host, name, { ...withoutCaller(input as object), id: handle.id }, options);
}

/** What this machine has set belongs to it: environment, file mode mask and limit of open files do not travel. */
const ofCaller: ReadonlySet<string> = new Set(['inherit', 'umask', 'openFiles']);

const withoutCaller = (input: object) =>
  Object.fromEntries(Object.entries(input).filter(([key]) => !ofCaller.has(key)));

/** The same with the host given. */
export async function onHost(
  host: string,
  name: string,
  input: unknown,
  options: CallOptions,
): Promise<unknown> {
  try {
    return withHost(host, await withFleet(options, (client) => client.ask(host, name, input, options)));
  } catch (error) {
    throw fleetHint(error);
  }
}

/** The list of this machine has no run of the host. */
function fleetHint(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'no-such-run') return error;
  const hint = error.hint.replace('unstuck list', 'unstuck ps --fleet');
  return new Failure(error.code, error.message, hint, { cause: error });
}

/** `HOST/ID` in place of the id of a run. */
function withHost(host: string, output: unknown): unknown {
  if (typeof output !== 'object' || output === null) return output;
  const { id, results } = output as { id?: unknown; results?: unknown };
  return {
    ...output,
    ...(typeof id === 'string' && { id: `${host}/${id}` }),
    ...(Array.isArray(results) && { results: results.map((one) => withHost(host, one)) }),
  };
}

/** waitMany over several hosts: each host waits for its own runs. */
async function onEachHost(
  name: string,
  input: WaitManyInput,
  options: CallOptions,
  here: Ask,
): Promise<WaitManyOutput> {
  const groups = new Map<string, { id: string; at: number }[]>();
  for (const [at, handle] of input.ids.entries()) {
    const { host, id } = parseHandle(handle) ?? { host: '', id: handle };
    groups.set(host, [...(groups.get(host) ?? []), { id, at }]);
  }
  const ask = async (host: string, own: WaitManyInput, signal: AbortSignal | undefined) => {
    const mine = { ...options, signal };
    const output = host === '' ? here(name, own, mine) : onHost(host, name, own, mine);
    return (await output) as WaitManyOutput;
  };
  const waits = [...groups].map(([host, runs]) => ({ host, ids: runs.map(({ id }) => id) }));
  const outputs =
    input.mode === 'any'
      ? await firstOf(waits, input, options.signal, ask)
      : await Promise.all(waits.map(({ host, ids }) => ask(host, { ...input, ids }, options.signal)));
  const results: WaitManyOutput['results'] = [];
  for (const [index, [, runs]] of [...groups].entries()) {
    for (const [at, result] of (outputs[index]?.results ?? []).entries()) results[runs[at]?.at ?? 0] = result;
  }
  const [first] = outputs;
  if (first === undefined) throw new Failure('bad-input', 'no run given', 'give an id: unstuck wait ID');
  const isDone = outputs[input.mode === 'any' ? 'some' : 'every'](({ status }) => status === 'done');
  return {
    ...first,
    status: isDone ? 'done' : 'timeout',
    results: results.filter((one) => one !== undefined),
  };
}

type AskWait = (
  host: string,
  input: WaitManyInput,
  signal: AbortSignal | undefined,
) => Promise<WaitManyOutput>;

/** The first host whose wait ends; the state of the others is asked for after that. */
async function firstOf(
  waits: readonly { host: string; ids: string[] }[],
  input: WaitManyInput,
  signal: AbortSignal | undefined,
  ask: AskWait,
): Promise<WaitManyOutput[]> {
  const others = new AbortController();
  const either = signal === undefined ? others.signal : AbortSignal.any([signal, others.signal]);
  const running = waits.map(({ host, ids }) => ask(host, { ...input, ids }, either));
  for (const wait of running) wait.catch(() => {});
  try {
    const winner = await Promise.race(
      running.map((wait, index) => wait.then((output) => ({ output, index }))),
    );
    return await Promise.all(
      waits.map(({ host, ids }, index) =>
        index === winner.index ? winner.output : ask(host, { ...input, ids, timeoutS: 0 }, signal),
      ),
    );
  } finally {
    others.abort();
  }
}
