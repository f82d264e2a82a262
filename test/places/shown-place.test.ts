import { expect, test } from 'vitest';
import { parsePlace } from '../../src/places/parse-place.js';
import { Place } from '../../src/places/place.js';
import { shownPlace } from '../../src/places/shown-place.js';
import { commandIn } from '../../src/places/words-in.js';
import { prepareStart } from '../../src/registry/start/prepare-start.js';

const typed = 'via:env PGPASSWORD=hunter2hunter2 A=b';
const address = parsePlace(typed);

test('secrets in the words of a place are masked wherever it is named', () => {
  for (const text of [shownPlace(address), new Place(address).name, commandIn(address, 'ps')]) {
    expect(text).not.toContain('hunter2');
    expect(text).toContain('A=b');
  }
  expect(() => parsePlace(`${typed} '`)).toThrow(/^(?!.*hunter2).*is not a place/);
  expect(shownPlace(parsePlace('ssh:ci@build'))).toBe('ssh:ci@build');
});

test('a start keeps the words only where its client is started', () => {
  const { background, ...rest } = prepareStart({
    command: ['true'],
    on: typed,
    env: {},
    envDeny: [],
    tags: [],
    input: 'none',
    options: {},
  });
  expect(background.on?.place).toContain('hunter2hunter2');
  expect(JSON.stringify(rest)).not.toContain('hunter2');
});
