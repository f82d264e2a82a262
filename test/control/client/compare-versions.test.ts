import { expect, it } from 'vitest';
import { compareVersions } from '../../../src/control/client/protocol.js';

/** Oldest first. */
const versions = [
  'none',
  '0.1.0',
  '0.2.0',
  '0.10.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1+build.5',
  '10.0.0',
];

it('which of two versions is newer', () => {
  for (const [i, a] of versions.entries()) {
    for (const [j, b] of versions.entries()) {
      expect(Math.sign(compareVersions(a, b)), `${a} ${b}`).toBe(Math.sign(i - j));
    }
  }
});
