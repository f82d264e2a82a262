import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import {
  nextQueue,
  noQueueRecord,
  parseQueue,
  type QueueEvent,
} from '../../../src/fleet/queue/queue-record.js';

const at = '2026-01-01T00:00:00.000Z';
const key = fc.constantFrom('a.1', 'b.1', 'c.1', 'c.2');
const jobs = fc.uniqueArray(key, { maxLength: 2 }).map((keys) => keys.map((one) => ({ key: one, at })));
const event: fc.Arbitrary<QueueEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('set' as const),
    limit: fc.option(fc.nat(3)),
    running: jobs,
  }),
  fc.record({ kind: fc.constant('counted' as const), running: jobs }),
  fc.record({ kind: fc.constant('reserved' as const), key, at: fc.constant(at) }),
  fc.record({ kind: fc.constant('released' as const), keys: fc.array(key, { maxLength: 2 }) }),
);

describe('the record of a queue', () => {
  test.prop([fc.array(event, { maxLength: 60 })])(
    'no job is reserved beyond the limit, and none twice',
    (events) => {
      let record = noQueueRecord;
      for (const one of events) {
        const next = nextQueue(record, one);
        if (next === null) continue;
        if (one.kind === 'reserved' && next.limit !== null) {
          expect(next.running.length).toBeLessThanOrEqual(next.limit);
        }
        expect(new Set(next.running.map((job) => job.key)).size).toBe(next.running.length);
        expect(parseQueue(JSON.parse(JSON.stringify(next)))).toEqual(next);
        record = next;
      }
    },
  );
});
