import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { FileIdentities } from '../../../../src/probe/linux/holders/file-identities.js';
import type { NativeFacts } from '../../../../src/probe/linux/kernel/kernel.js';

/** A kernel with these open files, by thread and number; null: the thread has ended. */
class Files {
  comparisons = 0;
  readonly open = new Map<string, number | null>();

  readonly native = {
    orderOfFiles: (a: number, aFd: number, b: number, bFd: number) => {
      this.comparisons += 1;
      const [one, other] = [this.open.get(`${a} ${aFd}`) ?? null, this.open.get(`${b} ${bFd}`) ?? null];
      return one === null || other === null ? null : (Math.sign(one - other) as -1 | 0 | 1);
    },
  } as NativeFacts;
}

const file = fc.record({ task: fc.integer({ min: 1, max: 40 }), object: fc.integer({ min: 1, max: 20 }) });

property.prop([fc.array(file, { maxLength: 120 }), fc.func(fc.boolean())])(
  'files have the same identity exactly if they are the same, also while processes end',
  (all, ends) => {
    const files = new Files();
    const identities = new FileIdentities(files.native);
    const found: { object: number; identity: unknown; key: string }[] = [];
    for (const [fd, { task, object }] of all.entries()) {
      files.open.set(`${task} ${fd}`, object);
      found.push({ object, identity: identities.of(task, fd), key: `${task} ${fd}` });
      const [first] = found;
      if (first !== undefined && ends(fd)) files.open.set(first.key, null);
    }
    const isOpen = ({ key }: (typeof found)[number]) => files.open.get(key) !== null;
    for (const one of found) {
      expect(one.identity).not.toBeNull();
      for (const other of found) {
        if (one.object !== other.object) expect(one.identity).not.toBe(other.identity);
        else if (isOpen(one) && isOpen(other)) expect(one.identity).toBe(other.identity);
      }
    }
  },
);

test('each file is found in a few steps, and asked for once', () => {
  const files = new Files();
  const identities = new FileIdentities(files.native);
  const count = 2000;
  for (let round = 0; round < 2; round += 1)
    for (let task = 0; task < count; task += 1) {
      files.open.set(`${task} 3`, (task * 7919) % count);
      expect(identities.of(task, 3)).not.toBeNull();
    }
  expect(files.comparisons).toBeLessThan(count * (Math.log2(count) + 2));
});

test('a file that cannot be compared has no identity, and stands in the way of no other', () => {
  const files = new Files();
  const identities = new FileIdentities(files.native);
  files.open.set('1 3', 5);
  files.open.set('2 3', 5);
  expect(identities.of(9, 3)).toBeNull();
  expect(identities.of(1, 3)).toBe(identities.of(2, 3));
});
