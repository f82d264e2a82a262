import { Failure } from '../../model/failure.js';
import { note, printJson } from '../output/print.js';
import type { JsonFlag } from './call.js';

interface EachRun<Output extends object> {
  act(id: string): Promise<Output>;
  /** `id` as it was given. */
  print(output: Output, id: string): void;
}

/**
 * Does the same to several runs at once. One run: its answer as JSON; several: `{runs, errors}`. A run that fails does
 * not keep the others from being done; its error is printed last.
 */
export async function eachRun<Output extends object>(
  ids: readonly string[],
  { json }: JsonFlag,
  { act, print }: EachRun<Output>,
): Promise<void> {
  const wanted = [...new Set(ids)];
  const results = await Promise.allSettled(wanted.map(act));
  const done = results.flatMap((result, index) =>
    result.status === 'fulfilled' ? [{ run: result.value, id: wanted[index] ?? '' }] : [],
  );
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (json && wanted.length > 1)
    return printJson({ runs: done.map(({ run }) => run), errors: failures.map(asError) });
  for (const { run, id } of done) json ? printJson(run) : print(run, id);
  throwAfterOthers(failures);
}

/** Prints all failures, the first as the last. */
export function throwAfterOthers(failures: readonly unknown[]): void {
  for (const failure of failures.slice(1)) note(`unstuck: ${asError(failure).message}`);
  if (failures.length > 0) throw failures[0];
}

/** An error in JSON. The exit code becomes that of the error. */
function asError(failure: unknown): { code: string; message: string; hint: string } {
  if (!(failure instanceof Failure)) throw failure;
  process.exitCode = failure.exitCode;
  const { code, message, hint } = failure;
  return { code, message, hint };
}
