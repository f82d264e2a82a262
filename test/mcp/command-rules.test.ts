import { expect, test } from 'vitest';
import { checkCommand } from '../../src/mcp/command-rules.js';
import { fitsGlob } from '../../src/text/glob.js';

const isAllowed = (command: string | string[], allow: string[], deny: string[] = []) => {
  try {
    checkCommand({ allow, deny }, command);
    return true;
  } catch {
    return false;
  }
};

test('a star is anything, everything else itself, and no pattern takes for ever', () => {
  expect(
    ['npm *', '*', 'npm t*t', 'npm test', '**'].filter((glob) => fitsGlob(glob, 'npm test')),
  ).toHaveLength(5);
  expect(['npm', 'pm *', 'npm *x', 'NPM *', 'n.m *'].filter((glob) => fitsGlob(glob, 'npm test'))).toEqual(
    [],
  );
  expect(fitsGlob('a*a', 'a')).toBe(false);
  expect(fitsGlob(`${'*a'.repeat(100)}b`, 'a'.repeat(1_000_000))).toBe(false);
});

test('what is denied is denied wherever it stands in a line', () => {
  expect(isAllowed(['rm', '-rf', '/'], [], ['rm *'])).toBe(false);
  for (const line of [
    'rm -rf /',
    'true; rm -rf /',
    'true && rm -rf /',
    '(rm -rf /)',
    'echo `rm -rf /`',
    'x\nrm -rf /',
  ]) {
    expect(isAllowed(line, [], ['rm *']), line).toBe(false);
  }
  expect(isAllowed('npm run rm', [], ['rm *'])).toBe(true);
});

test('with a list of allowed commands, a shell line must be a single plain command', () => {
  expect(isAllowed('npm test', ['npm *'])).toBe(true);
  expect(isAllowed(['npm', 'run', 'a;b'], ['npm *'])).toBe(true);
  expect(isAllowed('node x.js', ['npm *'])).toBe(false);
  for (const line of [
    'npm test; rm x',
    'npm test | tee x',
    'npm test > x',
    'npm $(rm x)',
    'npm test\nrm x',
    'npm $X',
  ]) {
    expect(isAllowed(line, ['npm *']), line).toBe(false);
  }
  expect(isAllowed('npm publish', ['npm *'], ['*publish*'])).toBe(false);
});
