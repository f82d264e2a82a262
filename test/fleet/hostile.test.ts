import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parseEvent } from '../../src/fleet/events.js';
import { parseHost } from '../../src/fleet/hosts.js';
import { inboxPrefixFor, isInbox, newInbox } from '../../src/fleet/inbox.js';
import { inputFromOutside } from '../../src/fleet/member/from-outside.js';
import { parseNudge } from '../../src/fleet/member/nudge.js';
import { fleetNames, isName, parseQueueSubject } from '../../src/fleet/names.js';
import { newJob } from '../../src/fleet/queue/job.js';
import { parseJob } from '../../src/fleet/queue/parse-job.js';
import { parseQueue } from '../../src/fleet/queue/queue-record.js';
import { parseMembership, withoutPassword } from '../../src/fleet/settings.js';
import { AnswerParts, outputOf } from '../../src/fleet/wire.js';
import { Failure } from '../../src/model/failure.js';

const names = fleetNames('default');
const at = '2026-01-01T00:00:00.000Z';
const id = 'job_0123456789ab';
const job = {
  ...newJob({
    id,
    queue: 'q',
    needs: ['gpu'],
    command: ['true'],
    againIfLost: false,
    addedAt: at,
    addedBy: 'me',
  }),
  state: { is: 'running' as const, host: 'build1', claimedAt: at },
};
const json = fc.jsonValue();
/** A value that is right except for one field. */
const spoiled = <T extends object>(good: T) =>
  fc.tuple(fc.constantFrom(...Object.keys(good)), json).map(([key, value]) => ({ ...good, [key]: value }));

describe('anything may be on the bus', () => {
  test.prop([json])('no parser throws', (value) => {
    parseJob(id, value);
    parseHost(value);
    parseEvent(names, 'unstuck-events.default.build1.ended', value);
    parseNudge(value);
    parseQueue(value);
    parseMembership(value);
    inputFromOutside('poll', value);
    expect(true).toBe(true);
  });

  test.prop([
    fc.oneof(
      spoiled(job),
      spoiled(job.state).map((state) => ({ ...job, state })),
    ),
  ])('a job that is taken has a host, queue and labels that are names', (value) => {
    const parsed = parseJob(id, value);
    if (parsed === null) return;
    expect(parsed.id).toBe(id);
    expect(isName(parsed.queue)).toBe(true);
    if ('host' in parsed.state) expect(isName(parsed.state.host)).toBe(true);
    for (const need of parsed.needs) expect(need).toMatch(/^[\w=-]+$/);
  });

  test.prop([fc.string()])('a subject of the queue has a queue that is a name', (token) => {
    const parsed = parseQueueSubject(`unstuck-queue.default.${token}.-`);
    expect(parsed === null || isName(parsed.queue)).toBe(true);
  });

  it('a job is the one of its key', () => {
    expect(parseJob(id, job)).toEqual(job);
    expect(parseJob('job_ffffffffffff', job)).toBeNull();
  });

  it('a job says why its run was stopped, in a word that is known', () => {
    const exit = { code: 143, signal: 'SIGTERM', provenance: 'recorded' };
    const ended = (stopped: string) => ({
      ...job,
      state: { is: 'ended', host: 'build1', endedAt: at, exit: { ...exit, stopped } },
    });
    expect(parseJob(id, ended('timeout'))).toEqual(ended('timeout'));
    expect(parseJob(id, ended('constructor'))).toBeNull();
  });

  test.prop([fc.string(), fc.string()])('an event is of the host that its subject names', (host, other) => {
    const event = {
      kind: 'ended',
      host,
      at,
      label: '',
      text: '',
      tags: [],
      runId: null,
      task: null,
      owner: null,
    };
    const isOwn = parseEvent(names, names.eventSubject(other, 'ended'), event) !== null;
    expect(isOwn).toBe(host === other);
  });

  test.prop([fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.uint8Array({ maxLength: 20 })), { maxLength: 20 })])(
    'parts in any order and number give an answer or a failure',
    (given) => {
      const parts = new AnswerParts();
      try {
        for (const [index, count, bytes] of given)
          parts.add({ index, count: Math.max(count, index + 1) }, bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
    },
  );

  test.prop([fc.integer(), json])(
    'an answer is an output or a failure without control characters',
    (status, body) => {
      try {
        outputOf('build1', { status, body });
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
        expect(`${(error as Failure).message}${(error as Failure).hint}`).not.toMatch(/[\u0000-\u001f]/);
      }
    },
  );

  it('answers go to an inbox and nowhere else', () => {
    for (const user of [undefined, 'build1', 'a.b', '>'])
      expect(isInbox(newInbox(inboxPrefixFor(user)))).toBe(true);
    for (const reply of [
      undefined,
      '',
      '_INBOX',
      '_INBOX.>',
      '_INBOX.a b',
      '$JS.API.STREAM.DELETE.x',
      'x._INBOX.y',
    ]) {
      expect(isInbox(reply)).toBe(false);
    }
  });

  it('a position of this machine is not moved by another one', () => {
    expect(inputFromOutside('poll', { id: 'x' })).toEqual({ id: 'x', reader: 'fleet:default' });
    expect(inputFromOutside('notices', { consumer: 'cli', ack: 9 })).toEqual({
      consumer: 'fleet:cli',
      ack: 9,
    });
    expect(inputFromOutside('list', { task: 'x' })).toEqual({ task: 'x' });
  });

  test.prop([fc.string(), fc.string({ minLength: 1 })])('no address keeps a password', (user, secret) => {
    let shown: string;
    try {
      const given = `nats://${user}:S3CRET${secret}@host:1`;
      shown = withoutPassword({ url: given, fleet: 'f', login: {} }).url;
    } catch (error) {
      shown = `${(error as Failure).message} ${(error as Failure).hint}`;
    }
    expect(shown).not.toContain('S3CRET');
  });
});
