import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { JsonShortener } from '../../../src/diagnose/agents/shorten-json.js';

function shortOf(chunks: readonly Buffer[]): string | null {
  const shortener = new JsonShortener();
  for (const chunk of chunks) shortener.push(chunk);
  return shortener.take();
}

const shorten = (value: unknown): string | null => shortOf([Buffer.from(JSON.stringify(value))]);

/** Whether the short value is the long one with texts cut, lists ended early and members left out. */
function isPartOf(short: unknown, long: unknown): boolean {
  if (short === null) return true;
  if (typeof short === 'string') {
    // A cut may fall inside of a character.
    return typeof long === 'string' && long.startsWith(short.replace(/\ufffd+$/, ''));
  }
  if (typeof short !== 'object') return Object.is(short, long);
  if (typeof long !== 'object' || long === null || Array.isArray(short) !== Array.isArray(long)) return false;
  const whole = long as Record<string, unknown>;
  return Object.entries(short).every(
    ([key, value]) => Object.hasOwn(whole, key) && isPartOf(value, whole[key]),
  );
}

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc
    .tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }), fc.nat(4000))
    .map(([unit, n]) => unit.repeat(n)),
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    texts,
    fc.double(),
    fc.constantFrom(null, true, false, 1e300, -0.5),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 6 }),
  ),
}));
const objects = fc.dictionary(fc.string(), values, { maxKeys: 8 });

function cutInto(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let [from, at] = [0, 0]; from < bytes.length; at++) {
    const size = sizes[at % sizes.length] ?? 1;
    chunks.push(bytes.subarray(from, from + size));
    from += size;
  }
  return chunks;
}

const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1 });

describe('a JSON object made short', () => {
  it('stays as it is while nothing in it is long', () => {
    const value = { a: [1, -2.5e-7, 'é\u0000"\\', null, true, {}, []], '': { b: { c: [[[]]] } } };
    expect(JSON.parse(shorten(value) ?? '')).toEqual(value);
  });

  it('keeps what comes after a long text, a long list and a deep value', () => {
    const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`);
    const list = Array.from({ length: 50_000 }, (_, at) => ({ at, text: 'z'.repeat(100) }));
    const value = {
      text: 'x'.repeat(1e6),
      list,
      deep,
      ['k'.repeat(500)]: 1,
      inner: { list, id: 'i' },
      id: 'last',
    };
    const short = shorten(value) ?? '';
    expect(short.length).toBeLessThan(300_000);
    expect(JSON.parse(short)).toMatchObject({ inner: { id: 'i' }, id: 'last' });
  });

  it('an id of 128 bytes stays whole, however full it is', () => {
    const id = 'i'.repeat(128);
    const crowd = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`k${at}`, 'v'.repeat(3000)]));
    const parsed = JSON.parse(shorten({ crowd, id }) ?? '');
    expect(parsed.id).toBe(id);
  });

  it.each([
    '',
    '{',
    '{"a"',
    '{"a":1',
    '{"a":1}}',
    '{"a":[1}',
    '"a"',
    '1',
    '[1]x',
    '{"a":1}x',
    '{{}}',
    '{1}',
    '{"a":1 2}',
  ])('text that is not a complete object does not become valid JSON: %s', (text) => {
    const short = shortOf([Buffer.from(text)]);
    expect(short === null || !isJson(short)).toBe(true);
  });

  test.prop([objects], { numRuns: 200 })('is valid and a part of the long object', (value) => {
    const short = shorten(value);
    expect(short).not.toBeNull();
    expect(isPartOf(JSON.parse(short ?? ''), JSON.parse(JSON.stringify(value)))).toBe(true);
  });

  test.prop([objects, sizes], { numRuns: 200 })('does not depend on the chunks', (value, cuts) => {
    const bytes = Buffer.from(JSON.stringify(value));
    expect(shortOf(cutInto(bytes, cuts))).toBe(shortOf([bytes]));
  });

  test.prop([fc.uint8Array({ maxLength: 3000 }), sizes], { numRuns: 200 })(
    'gives the same for any bytes, whatever the chunks',
    (bytes, cuts) => {
      const text = Buffer.concat([Buffer.from('{"a":['), bytes]);
      expect(shortOf(cutInto(text, cuts))).toBe(shortOf([text]));
    },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
