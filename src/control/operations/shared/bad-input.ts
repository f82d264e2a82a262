import type * as z from 'zod/mini';
import { nearest } from '../../../config/nearest.js';
import { Failure } from '../../../model/failure.js';

type Issue = z.core.$ZodIssue;

/** A Failure about the first problem. It names types, never values: they may be secrets. */
export function badInput(
  operation: string,
  input: unknown,
  issues: readonly Issue[],
  fields: string[],
): Failure {
  const issue = issues[0];
  if (issue === undefined)
    return new Failure('bad-input', `${operation}: bad input`, 'list the operations: GET /v1/operations');
  const place = issue.path.map(String).join('.') || 'the input';
  if (issue.code === 'unrecognized_keys') return unknownField(operation, issue, fields);
  const value = valueAt(input, issue.path);
  const given = value === undefined ? 'it is missing' : `not ${describeValue(value)}`;
  return new Failure(
    'bad-input',
    `${operation}: ${place} must be ${expected(issue)}${value === undefined ? '; ' : ', '}${given}`,
    `it takes: ${fields.join(', ')}`,
  );
}

function unknownField(operation: string, issue: z.core.$ZodIssueUnrecognizedKeys, fields: string[]): Failure {
  const key = String(issue.keys[0]).slice(0, 60);
  const place = [...issue.path.map(String), key].join('.');
  const near = nearest(key, fields);
  return new Failure(
    'bad-input',
    `${operation}: unknown field ${place}`,
    near === null ? `it takes: ${fields.join(', ')}` : `did you mean ${near}?`,
  );
}

/** The expected kind of value. */
function expected(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] ?? String(issue.expected);
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return [
        ...new Set(issue.errors.flatMap(([first]) => (first === undefined ? [] : [expected(first)]))),
      ].join(' or ');
    case 'too_small':
      return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${unitOf(issue.origin)}`;
    case 'invalid_format':
      return issue.pattern === undefined ? `a valid ${issue.format}` : `a text like ${issue.pattern}`;
    default:
      return 'something else';
  }
}

const typeNames: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' entries long' : '';
}

function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'string')
    return value === '' ? 'an empty text' : `a text of ${value.length} characters`;
  if (typeof value === 'number') return `the number ${value}`;
  return typeof value === 'boolean' ? String(value) : 'an object';
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
