import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { placeText } from '../../src/model/place.js';
import { parsePlace } from '../../src/places/parse-place.js';
import { splitWords } from '../../src/places/split-words.js';

describe('the address of a place', () => {
  test.each([
    ['ssh:ci@build', { kind: 'ssh', host: 'ci@build' }],
    ['ssh:ssh://ci@build:2222', { kind: 'ssh', host: 'ssh://ci@build:2222' }],
    ['docker:web', { kind: 'docker', container: 'web' }],
    ['podman:web.1', { kind: 'podman', container: 'web.1' }],
    ['kubectl:web-0', { kind: 'kubectl', namespace: null, pod: 'web-0', container: null }],
    ['kubectl:prod/web-0', { kind: 'kubectl', namespace: 'prod', pod: 'web-0', container: null }],
    ['kubectl:prod/web-0/app', { kind: 'kubectl', namespace: 'prod', pod: 'web-0', container: 'app' }],
    [`via:nsenter -t 1 'a b'`, { kind: 'via', words: ['nsenter', '-t', '1', 'a b'] }],
  ])('%s', (text, address) => {
    expect(parsePlace(text)).toEqual(address);
    expect(placeText(parsePlace(text))).toBe(text);
  });

  test.each([
    '',
    'web',
    'ssh:',
    'ssh:-oProxyCommand=x',
    'ssh:a b',
    'docker:-x',
    'docker:a/b',
    'kubectl:a//b',
    'kubectl:a/b/c/d',
    'via:',
    "via:'open",
    'vm:x',
  ])('%j is refused with the forms that exist', (text) => {
    expect(() => parsePlace(text)).toThrow(
      expect.objectContaining({ code: 'bad-input', hint: expect.stringContaining('ssh:HOST') }),
    );
  });

  test('a name of the configuration stands for its address, and a wrong one lists the names', () => {
    const named = new Map([['build', 'ssh:ci@build']]);
    expect(parsePlace('build', named)).toEqual({ kind: 'ssh', host: 'ci@build' });
    expect(() => parsePlace('biuld', named)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('build') }),
    );
  });

  property.prop([fc.array(fc.string(), { minLength: 1 })])(
    'words that are printed are read again',
    (words) => {
      const text = placeText({ kind: 'via', words }).slice('via:'.length);
      expect(splitWords(text)).toEqual(words);
    },
  );
});
