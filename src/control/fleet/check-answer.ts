import * as z from 'zod/mini';
import { Failure } from '../../model/failure.js';
import { operations } from '../operations/table.js';

/** What is used of a report; another version may have more. */
const doctorAnswer = z.object({ complete: z.boolean(), summary: z.string() });

/** The answer of another machine, which may be of another version, or hostile. Throws a Failure if it does not fit. */
export function checkAnswer(host: string, name: string, answer: unknown): unknown {
  const shape = shapeOf(name);
  if (shape === null) return answer;
  const checked = shape.safeParse(answer);
  if (checked.success) return checked.data;
  const place = checked.error.issues[0]?.path.join('.') ?? '';
  throw new Failure(
    'host-away',
    `the answer of ${host} to ${name} cannot be used: ${place === '' ? 'it is not what Unstuck answers' : place}`,
    `install the same version of Unstuck here and on ${host}`,
  );
}

/** null: it is checked where it is used. */
function shapeOf(name: string): z.ZodMiniType | null {
  if (name === 'doctor') return doctorAnswer;
  return Object.hasOwn(operations, name) ? operations[name as keyof typeof operations].output : null;
}
