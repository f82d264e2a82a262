import { vi } from 'vitest';
import type { Call } from '../../../src/cli/shared/call.js';
import type { OperationName } from '../../../src/control/operations/table.js';
import { afterEveryTest } from '../../support/per-test.js';

type Answers = { [Name in OperationName]?: unknown };

/** A daemon that answers what it is told, one after the other if it is a list, and remembers what it was asked. */
export function fakeCall(answers: Answers): { call: Call; asked: [name: string, input: unknown][] } {
  const asked: [string, unknown][] = [];
  const call = async (name: OperationName, input: unknown) => {
    asked.push([name, input]);
    const answer = answers[name];
    const next = Array.isArray(answer) ? answer.shift() : answer;
    if (next instanceof Error) throw next;
    if (next === undefined) throw new Error(`nobody expected ${name} ${JSON.stringify(input)}`);
    return next;
  };
  return { call: call as unknown as Call, asked };
}

afterEveryTest(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** What a command prints, and the exit code it leaves. */
export async function printed(
  command: () => Promise<void>,
): Promise<{ stdout: string; stderr: string; code: number | string | null | undefined }> {
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[stream], 'write').mockImplementation((chunk) => {
      said[stream] += String(chunk);
      return true;
    });
  }
  try {
    await command();
    return { ...said, code: process.exitCode };
  } finally {
    vi.restoreAllMocks();
    process.exitCode = undefined;
  }
}
