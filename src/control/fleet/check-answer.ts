import { Failure } from '../../model/failure.js';
import { operations } from '../operations/table.js';

/** The answer of another machine, which may be of another version, or hostile. Throws a Failure if it does not fit. */
export function checkAnswer(host: string, name: string, answer: unknown): unknown {
  const operation = Object.hasOwn(operations, name) ? operations[name as keyof typeof operations] : null;
  if (operation === null) return answer;
  const checked = operation.output.safeParse(answer);
  if (checked.success) return checked.data;
  throw new Failure(
    'host-away',
    `the answer of ${host} to ${name} cannot be used: ${checked.error.issues[0]?.path.join('.') ?? 'not an answer'}`,
    `install the same version of Unstuck here and on ${host}`,
  );
}
