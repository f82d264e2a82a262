import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allotDescriptors } from '../../../src/run/launch/shim-descriptors.js';

const taken = fc.uniqueArray(fc.integer({ min: 3, max: 40 }));

it('the shim uses no descriptor that the command needs, and no descriptor twice', () => {
  fc.assert(
    fc.property(taken, fc.boolean(), (numbers, isPty) => {
      const { fd, lost, needsBash } = allotDescriptors(numbers, { isPty, hasBash: () => true });
      const { aux, slave, master, ...common } = fd;
      const used = [...Object.values(common), ...(isPty ? [slave, master] : [aux])];
      expect(new Set(used).size).toBe(used.length);
      expect(used.filter((number) => numbers.includes(number))).toEqual([]);
      expect(lost).toEqual([]);
      if (!needsBash) expect(used.every((number) => number < 10)).toBe(true);
    }),
  );
});

it('without bash, descriptors that the shim needs itself are given up', () => {
  const { lost, fd } = allotDescriptors([3, 4, 5, 12], { isPty: false, hasBash: () => false });
  expect(lost).toEqual([3, 4, 5]);
  expect(fd.control).toBe(3);
});
