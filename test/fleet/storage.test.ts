import type { KV } from '@nats-io/kv';
import { describe, expect, it } from 'vitest';
import { readBucket } from '../../src/fleet/storage.js';

/** Revisions by key. */
type List = [key: string, revision: number][];

/** A bucket whose leader has three keys, and whose servers send these lists one after the other. */
function bucketOf(lists: readonly List[]): KV {
  let at = 0;
  const history = async () => {
    const entries = (lists[at++ % lists.length] ?? []).map(([key, revision]) => ({ key, revision }));
    return Object.assign(entries.values(), { stop: () => {} });
  };
  const status = async () => ({ streamInfo: { state: { messages: 3, last_seq: 9 } } });
  return { history, status } as unknown as KV;
}

const revisions = async (...lists: List[]) =>
  (await readBucket(bucketOf(lists))).map(({ revision }) => revision);

const whole: List = [
  ['a', 1],
  ['b', 5],
  ['c', 9],
];
const old: List = [
  ['a', 1],
  ['b', 5],
  ['c', 8],
];
/** A key that is written while the list is sent comes twice. */
const lacking: List = [
  ['a', 1],
  ['c', 8],
  ['c', 9],
];

describe('a list of a bucket', () => {
  it('is that of a server that lacks no record', async () => {
    expect(await revisions(lacking, old, whole)).toEqual([1, 5, 9]);
  });

  it('that no server has whole is an error', async () => {
    await expect(revisions(lacking)).rejects.toThrow('the NATS server has not sent the whole list');
  });

  it('without its newest record is taken when no server has it', async () => {
    expect(await revisions(lacking, old)).toEqual([1, 5, 8]);
  });
});
