/** What is set for a queue, and which jobs count towards its limit. */
export interface QueueRecord {
  /** Jobs of a queue with a higher priority are taken first; 0 if not set. */
  priority: number;
  /** Jobs of it at the same time in the whole fleet; null: as many as hosts have slots for. */
  limit: number | null;
  /** Written before a job is claimed; removed when it is over. Only kept while there is a limit. */
  running: { key: string; at: string }[];
}

export type QueueEvent =
  /** `running`: jobs that were claimed while there was no limit. */
  | {
      kind: 'set';
      priority?: number | undefined;
      limit?: number | null | undefined;
      running?: QueueRecord['running'];
    }
  /** Jobs that were claimed by hosts that had seen no limit. */
  | { kind: 'counted'; running: QueueRecord['running'] }
  | { kind: 'reserved'; key: string; at: string }
  | { kind: 'released'; keys: readonly string[] };

export const priorityMax = 1000;
export const limitMax = 5000;
export const noQueueRecord: QueueRecord = { priority: 0, limit: null, running: [] };

/** One attempt of a job. */
export const reservationKey = ({ id, attempt }: { id: string; attempt: number }) => `${id}.${attempt}`;

/** The record after an event; null: nothing changes, or the queue is full. */
export function nextQueue(record: QueueRecord, event: QueueEvent): QueueRecord | null {
  const { running, limit } = record;
  switch (event.kind) {
    case 'set':
      return {
        ...record,
        priority: event.priority ?? record.priority,
        limit: event.limit === undefined ? limit : event.limit,
        running: limit === null ? withJobs(running, event.running ?? []) : running,
      };
    case 'counted': {
      const all = withJobs(running, event.running);
      return limit === null || all.length === running.length ? null : { ...record, running: all };
    }
    case 'reserved':
      if (isFull(record) || running.some(({ key }) => key === event.key)) return null;
      return { ...record, running: [...running, { key: event.key, at: event.at }] };
    case 'released': {
      const left = running.filter(({ key }) => !event.keys.includes(key));
      return left.length === running.length ? null : { ...record, running: left };
    }
  }
}

function withJobs(running: QueueRecord['running'], more: QueueRecord['running']): QueueRecord['running'] {
  const known = new Set(running.map(({ key }) => key));
  return [...running, ...more.filter(({ key }) => !known.has(key))];
}

export const isFull = ({ limit, running }: QueueRecord) => limit !== null && running.length >= limit;

/** null: not such a record. */
export function parseQueue(value: unknown): QueueRecord | null {
  const { priority, limit, running } = (value ?? {}) as Record<keyof QueueRecord, unknown>;
  const isWithin = (given: unknown, min: number, max: number): given is number =>
    Number.isSafeInteger(given) && (given as number) >= min && (given as number) <= max;
  if (!isWithin(priority, -priorityMax, priorityMax)) return null;
  if (limit !== null && !isWithin(limit, 0, limitMax)) return null;
  if (!Array.isArray(running) || !running.every(isReservation)) return null;
  return { priority, limit, running };
}

function isReservation(value: unknown): value is QueueRecord['running'][number] {
  const { key, at } = (value ?? {}) as { key?: unknown; at?: unknown };
  return typeof key === 'string' && typeof at === 'string' && !Number.isNaN(Date.parse(at));
}
