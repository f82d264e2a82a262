import * as z from 'zod/mini';
import type { FdDetail, FdFacts } from '../../model/facts/snapshot.js';
import {
  count,
  duration,
  id,
  inode,
  list,
  record,
  signalMask,
  snapshotLimits,
  text,
  uint32,
} from './schema-fields.js';

type Detail<K extends FdDetail['of']> = Extract<FdDetail, { of: K }>;

const epollTarget = z.object({
  fd: id,
  events: uint32,
  inode: z.nullable(inode),
  moved: z.optional(z.literal([true, 'unknown'])),
});

const detail = z.discriminatedUnion('of', [
  record<Detail<'epoll'>>()({
    of: z.literal('epoll'),
    targets: list(epollTarget, snapshotLimits.epollTargets),
  }),
  record<Detail<'timerfd'>>()({ of: z.literal('timerfd'), leftMs: z.nullable(duration) }),
  record<Detail<'pidfd'>>()({ of: z.literal('pidfd'), pid: id }),
  record<Detail<'ptmx'>>()({ of: z.literal('ptmx'), index: count }),
  record<Detail<'signalfd'>>()({ of: z.literal('signalfd'), mask: signalMask }),
  record<Detail<'inotify'>>()({ of: z.literal('inotify'), watches: count }),
  record<Detail<'io_uring'>>()({
    of: z.literal('io_uring'),
    pending: list(text, snapshotLimits.ringRequests),
    files: z.optional(z.nullable(list(text, snapshotLimits.ringRequests))),
  }),
  record<Detail<'eventfd'>>()({ of: z.literal('eventfd'), count: z.number() }),
  record<Detail<'terminal'>>()({
    of: z.literal('terminal'),
    canonical: z.boolean(),
    echo: z.boolean(),
    timed: z.boolean(),
    afterMs: z.optional(duration),
  }),
  record<Detail<'locked'>>()({ of: z.literal('locked'), locks: count }),
  record<Detail<'socket'>>()({
    of: z.literal('socket'),
    receiveMs: z.nullable(duration),
    sendMs: z.nullable(duration),
  }),
  record<Detail<'text'>>()({ of: z.literal('text'), lastLine: text }),
]);

const kind = z.enum([
  'pipe',
  'fifo',
  'socket',
  'terminal',
  'ptmx',
  'epoll',
  'eventfd',
  'timerfd',
  'signalfd',
  'inotify',
  'pidfd',
  'io_uring',
  'null',
  'file',
  'device',
  'other',
]);

export const fd = record<FdFacts>()({
  fd: id,
  kind,
  link: text,
  object: text,
  read: z.boolean(),
  write: z.boolean(),
  closed: z.optional(z.literal(true)),
  maybeShared: z.optional(z.literal(['passed', 'inherited'])),
  detail: z.optional(detail),
});
