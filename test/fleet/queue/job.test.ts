import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { type Job, type JobEvent, newJob, nextJob } from '../../../src/fleet/queue/job.js';
import { parseJob } from '../../../src/fleet/queue/parse-job.js';

const at = '2026-01-01T00:00:00.000Z';
const host = fc.constantFrom('a', 'b', 'c');
const attempt = fc.integer({ min: 1, max: 3 });

const event: fc.Arbitrary<JobEvent> = fc.oneof(
  fc.record({ kind: fc.constant('published' as const), message: fc.nat() }),
  fc.record({ kind: fc.constant('claimed' as const), host, machine: host, at: fc.constant(at) }),
  fc.record({ kind: fc.constant('started' as const), host, attempt, runId: fc.constant('run_x') }),
  fc.record({ kind: fc.constant('ended' as const), host, attempt, at: fc.constant(at) }),
  fc.record({
    kind: fc.constant('host-away' as const),
    host,
    at: fc.constant(at),
    reason: fc.constant('gone'),
  }),
  fc.record({ kind: fc.constant('reported' as const), lostAt: fc.constant(at) }),
  fc.record({ kind: fc.constant('host-back' as const), host, machine: host, attempt, at: fc.constant(at) }),
  fc.record({ kind: fc.constant('cancel' as const), at: fc.constant(at) }),
  fc.record({ kind: fc.constant('retry' as const) }),
);

const order = (againIfLost: boolean) =>
  newJob({ id: 'job_x', queue: 'q', needs: [], command: ['true'], againIfLost, addedAt: at, addedBy: 'me' });

describe('a job', () => {
  test.prop([fc.array(event, { maxLength: 60 }), fc.boolean()])(
    'is claimed by one host per attempt, and its end is reported once per attempt',
    (events, againIfLost) => {
      let job: Job = order(againIfLost);
      const claims = new Map<number, string>();
      const ends = new Map<number, number>();
      for (const one of events) {
        const next = nextJob(job, one);
        if (next === null) continue;
        if (one.kind === 'claimed') {
          expect(claims.has(job.attempt)).toBe(false);
          claims.set(job.attempt, one.host);
        }
        if (one.kind === 'ended') ends.set(job.attempt, (ends.get(job.attempt) ?? 0) + 1);
        expect(next.attempt).toBeGreaterThanOrEqual(job.attempt);
        // Only a host that has claimed the attempt is ever named in its state.
        if ('host' in next.state) expect(claims.get(next.attempt)).toBe(next.state.host);
        job = next;
      }
      for (const count of ends.values()) expect(count).toBe(1);
    },
  );

  test.prop([fc.array(event, { maxLength: 60 })])('runs again only when asked for', (events) => {
    let job: Job = order(false);
    for (const one of events) {
      const next = nextJob(job, one);
      if (next !== null && next.attempt > job.attempt) expect(one.kind).toBe('retry');
      job = next ?? job;
    }
  });

  it('that could not be started can be read, however long the reason is', () => {
    const id = 'job_0123456789ab';
    const claimed = nextJob({ ...order(false), id }, { kind: 'claimed', host: 'a', machine: 'a', at });
    const reason = `no such command: ${'x'.repeat(100_000)}`;
    const ended = nextJob(claimed as Job, { kind: 'ended', host: 'a', attempt: 1, at, reason });
    expect(parseJob(id, ended)).toEqual(ended);
    expect(ended?.state).toMatchObject({
      is: 'ended',
      reason: expect.stringMatching(/^no such command: xxx/),
    });
  });

  it('that was cancelled is still to be stopped after its host was lost and came back', () => {
    const [host, machine] = ['a', 'one'];
    const events: JobEvent[] = [
      { kind: 'claimed', host, machine, at },
      { kind: 'cancel', at },
      { kind: 'host-away', host, at, reason: 'gone' },
      { kind: 'host-back', host, machine, attempt: 1, at },
    ];
    let job: Job = order(true);
    for (const one of events) job = nextJob(job, one) ?? job;
    expect(job.state).toMatchObject({ is: 'running', cancelAsked: true });
    const lost = nextJob(job, { kind: 'host-away', host, at, reason: 'gone' });
    expect(lost?.state).toMatchObject({ is: 'lost', machine, cancelAsked: true });
  });

  test.prop([fc.array(event, { maxLength: 60 })])(
    'an event that was written already changes nothing',
    (events) => {
      let job: Job = order(true);
      for (const one of events) {
        const next = nextJob(job, one);
        if (next === null) continue;
        job = next;
        expect(nextJob(job, one)).toBeNull();
      }
    },
  );
});
