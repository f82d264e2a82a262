import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { denyEnv } from '../../../src/run/launch/env-deny.js';

const env = {
  AWS_KEY: '1',
  AWS_: '2',
  aws_key: '3',
  MY_AWS_KEY: '4',
  PATH: '/bin',
  'INPUT_NODE-VERSION': '5',
};

const left = (...patterns: string[]) => Object.keys(denyEnv(env, patterns));

describe('variables kept from the command', () => {
  it.each([
    [['AWS_*'], ['aws_key', 'MY_AWS_KEY', 'PATH', 'INPUT_NODE-VERSION']],
    [['AWS_KEY'], ['AWS_', 'aws_key', 'MY_AWS_KEY', 'PATH', 'INPUT_NODE-VERSION']],
    [
      ['*_KEY', 'PATH'],
      ['AWS_', 'aws_key', 'INPUT_NODE-VERSION'],
    ],
    [['*AWS*E*'], ['AWS_', 'aws_key', 'PATH', 'INPUT_NODE-VERSION']],
    [['INPUT_*-*'], ['AWS_KEY', 'AWS_', 'aws_key', 'MY_AWS_KEY', 'PATH']],
    [['*'], []],
    [[], Object.keys(env)],
    [['A.S_KEY', 'AWS_KE?', '[A]WS_KEY'], Object.keys(env)],
  ])('%j', (patterns, names) => {
    expect(left(...patterns)).toEqual(names);
  });

  it('no part of a name is used twice', () => {
    expect(denyEnv({ ABA: '1' }, ['AB*BA'])).toEqual({ ABA: '1' });
    expect(denyEnv({ AA: '1' }, ['A*A'])).toEqual({});
    expect(denyEnv({ A: '1' }, ['A*A'])).toEqual({ A: '1' });
  });

  it.each(['', 'A=B', 'A\0', 'A'.repeat(201)])('%j is refused', (pattern) => {
    expect(() => left(pattern)).toThrow(expect.objectContaining({ code: 'bad-input' }));
  });

  it('takes no longer for a pattern of many stars', () => {
    const started = performance.now();
    denyEnv({ ['a'.repeat(100_000)]: '1' }, [`${'a*'.repeat(99)}b`]);
    expect(performance.now() - started).toBeLessThan(200);
  });

  const word = fc.string({ unit: fc.constantFrom('a', 'b', '_'), maxLength: 8 });

  test.prop([fc.array(word, { minLength: 1, maxLength: 5 }), word.filter((name) => name !== '')])(
    'a pattern matches like the regular expression of it',
    (parts, name) => {
      const pattern = parts.join('*');
      fc.pre(pattern !== '');
      const gone = !(name in denyEnv({ [name]: '1' }, [pattern]));
      expect(gone).toBe(new RegExp(`^${parts.join('.*')}$`).test(name));
    },
  );
});
