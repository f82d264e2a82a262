import { expect, test } from 'vitest';
import { parsePlace } from '../../src/places/parse-place.js';
import { Place } from '../../src/places/place.js';
import { brokenOff, cannotWork, refusedBy, saidThere } from '../../src/places/refusals.js';

const hostile = `\x1b]0;title\x07\x1b[31mred\u202e ${'x '.repeat(25_000)}`;

test.each([
  ['a refusal', cannotWork('ssh:box', `home ${hostile}`)],
  ['a broken connection', brokenOff('ssh:box', hostile)],
  ['a client that ended', refusedBy(new Place(parsePlace('ssh:box')), 1, hostile)],
])('text of a host in %s is short and has no control characters', (_, { message }) => {
  expect(message.length).toBeLessThan(500);
  expect(message).not.toMatch(/[\p{Cc}\u202e]/u);
});

test('secrets that a host says are masked', () => {
  expect(saidThere('no: postgres://u:hunter2hunter2@db/x')).not.toContain('hunter2');
});

test('a place in a hint is one word for a shell, whatever is in it', () => {
  const place = new Place(parsePlace("via:a '$&'"));
  const word = `'via:a '\\''$&'\\'''`;
  expect(refusedBy(place, 127, '').hint).toContain(`unstuck why ${word}`);
  expect(refusedBy(place, 1, '').hint).toBe(`try: unstuck doctor --on ${word}`);
});
