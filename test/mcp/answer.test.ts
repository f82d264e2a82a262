import { describe, expect, it } from 'vitest';
import { failureAnswer } from '../../src/mcp/answer.js';
import { Failure } from '../../src/model/failure.js';

const hintOf = (hint: string) => {
  const { structuredContent } = failureAnswer(new Failure('bad-input', 'no', hint));
  return (structuredContent as { error: { hint: string } }).error.hint;
};

describe('a hint for a client that has only tools', () => {
  it.each([
    ['see which there are: unstuck list', 'see which there are: process {"action":"list"}'],
    ['see: unstuck log run_0123456789ab', 'see: process {"action":"log","id":"run_0123456789ab"}'],
    [
      'let the user type it in a terminal: unstuck attach run_0123456789ab',
      'let the user type it in a terminal: unstuck attach run_0123456789ab',
    ],
    ['unstuck listens', 'unstuck listens'],
  ])('%s', (hint, told) => {
    expect(hintOf(hint)).toBe(told);
  });
});
