import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { redact } from '../../src/redact/redact.js';

const shortChars = 8000;
const times = 8;
/** Eight times the length takes eight times as long; where each letter is read again for each, 64 times. */
const growthMax = 24;
/** Below it a clock says little. */
const leastMs = 1;
/** The best of a few counts. */
const roundsMax = 10;
/** 60 texts take 3 s of a CPU; many may share it. */
const patienceMs = 180_000;
/** Nothing linear comes near it. */
const hopelessMs = 1000;

/** Parts on which a pattern could begin anew at every letter. */
const parts = [
  ...['x', '0a1b2c3d', 'a:', 'a.', 'a://', 'token', '-token', 'eyJ', 'eyJa-', '-u a ', 'basic ', 'Basic x'],
  ...['mysql ', 'sshpass -', 'docker login ', 'authorization', ' ', '\n', '\\', '"', "'", '\\"', `'\\''`],
  ...[
    'token="',
    "password='",
    '--token ',
    "--token '",
    'Cookie: ',
    '; a=b',
    '-----BEGIN ',
    'PRIVATE KEY-----',
  ],
  ...['token: bearer ', '@', '?sig=', '&', "-u 'a:", '(', '[{', '%3D', 'sk-', '://u:'],
];

/** Time on a CPU: a busy machine interrupts long texts more often than short ones. */
function usedMs(text: string): number {
  const begin = process.cpuUsage();
  redact(text);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

/** How much longer it takes for a text of eight times the length. */
function growthOf(first: string, part: string): number {
  const short = first + part.repeat(Math.ceil(shortChars / part.length));
  const long = first + part.repeat(Math.ceil((times * shortChars) / part.length));
  let shortMs = Number.POSITIVE_INFINITY;
  let longMs = Number.POSITIVE_INFINITY;
  let growth = Number.POSITIVE_INFINITY;
  for (
    let round = 0;
    round < roundsMax && growth >= growthMax && !(longMs > hopelessMs && round > 1);
    round += 1
  ) {
    shortMs = Math.min(shortMs, usedMs(short));
    longMs = Math.min(longMs, usedMs(long));
    growth = longMs / Math.max(shortMs, leastMs);
  }
  return growth;
}

describe('masking takes time as the text is long, and no more', () => {
  test.each(parts)('many of %j', (part) => {
    expect(growthOf('', part)).toBeLessThan(growthMax);
    expect(growthOf('mysql --token ', part)).toBeLessThan(growthMax);
  });

  property.prop(
    [fc.constantFrom('', ...parts), fc.array(fc.constantFrom(...parts), { minLength: 2, maxLength: 5 })],
    {
      numRuns: 60,
    },
  )(
    'any mixture of them',
    (first, mixed) => {
      expect(growthOf(first, mixed.join(''))).toBeLessThan(growthMax);
    },
    patienceMs,
  );
});
