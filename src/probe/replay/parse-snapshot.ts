import * as z from 'zod/mini';
import { type Snapshot, snapshotVersion } from '../../model/facts/snapshot.js';
import { Failure } from '../../model/failure.js';
import { snapshotSchema } from './snapshot-schema.js';

const hint = 'name a file written by: unstuck why PID --save FILE, or --capture FILE';

/** Enough to identify the kind of file, before the rest is checked. */
const header = z.object({
  format: z.literal('unstuck-snapshot'),
  version: z.int().check(z.positive()),
});

type Issue = z.core.$ZodIssue;

/** In a union every branch complains; the branch that got furthest into the data knows the place. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  let found: Issue = issue;
  for (const branch of issue.errors) {
    const [first] = branch;
    if (first === undefined) continue;
    const inner = innermost(first);
    const path = [...issue.path, ...inner.path];
    if (path.length > found.path.length) found = { ...inner, path };
  }
  return found;
}

/** `processes[3].threads[0].tid` */
function formatPlace(path: readonly PropertyKey[]): string {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return place.replace(/^\./, '');
}

function formatProblem(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.path.length === 0
        ? `is not of type ${issue.expected}`
        : `is missing, or not of type ${issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `is not ${JSON.stringify(issue.values[0])}`
        : `is none of ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `is more than ${issue.maximum}`;
    case 'too_small':
      return `is less than ${issue.minimum}`;
    default:
      return 'is not of the right form';
  }
}

function bad(file: string, problem: string, cause?: unknown): Failure {
  return new Failure('bad-snapshot', `${file} is not a snapshot of unstuck: ${problem}`, hint, { cause });
}

/** Throws a Failure. */
export function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message of JSON.parse quotes the file: it may be any file, so only the place is repeated.
    const whole = /}\s*$/.test(text);
    const problem =
      text.trim() === '' ? 'it is empty' : whole ? 'it is not JSON' : 'it is not JSON, or it was cut off';
    throw bad(file, problem, error);
  }
}

function checkConsistent({ processes, targetPid }: Snapshot, file: string): void {
  const seen = new Set<number>();
  for (const [index, { pid }] of processes.entries()) {
    if (seen.has(pid)) throw bad(file, `processes[${index}].pid is there twice (${pid})`);
    seen.add(pid);
  }
  if (!seen.has(targetPid)) throw bad(file, `targetPid (${targetPid}) is not among the processes`);
}

/** A saved snapshot, checked: the result can be judged. Everything else is a Failure. */
export function parseSnapshot(text: string, file: string): Snapshot {
  return checkSnapshot(parseJson(text, file), file);
}

export function checkSnapshot(json: unknown, file: string): Snapshot {
  const kind = header.safeParse(json);
  if (!kind.success) {
    const [issue] = kind.error.issues;
    throw bad(file, issue === undefined ? 'no header' : describe(innermost(issue)));
  }
  if (kind.data.version > snapshotVersion) {
    throw new Failure(
      'future-snapshot',
      `${file} was written by a newer unstuck (snapshot version ${kind.data.version}, this one knows ${snapshotVersion})`,
      'update unstuck: npm install --global unstuck@latest',
    );
  }
  const parsed = snapshotSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw bad(file, issue === undefined ? 'it is not of the right form' : describe(innermost(issue)));
  }
  checkConsistent(parsed.data, file);
  return parsed.data;
}

function describe(issue: Issue): string {
  const place = formatPlace(issue.path);
  return `${place === '' ? 'it' : place} ${formatProblem(issue)}`;
}
