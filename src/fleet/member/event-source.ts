import type { JetStreamClient } from '@nats-io/jetstream';
import type { NoticesOutput } from '../../model/operations/outputs.js';
import { exitWords } from '../../model/run/run.js';
import type { FleetEvent } from '../event.js';
import { ensureEvents } from '../events.js';
import { encodeJson } from '../wire.js';
import type { LocalRun } from './local-runs.js';
import type { MemberContext } from './member-context.js';
import { pause } from './pause.js';

const pollEveryMs = 2000;
const noticesMax = 100;
/** The consumer of notices that the fleet is. */
const consumer = 'fleet';

/**
 * Publishes ends, changes of health and notices of this machine. After a crash between an end and the note of it, the end
 * is published again under the same message id, and the server drops the repeat.
 */
export class EventSource {
  readonly #context: MemberContext;
  readonly #ended = new AbortController();
  readonly #health = new Map<string, string>();
  #life: Promise<void> = Promise.resolve();

  constructor(context: MemberContext) {
    this.#context = context;
  }

  async begin(): Promise<void> {
    const { jetstream, jetstreamManager } = await import('../nats.js');
    const { connection, names } = this.#context;
    await ensureEvents(connection, await jetstreamManager(connection), names);
    this.#life = this.#live(jetstream(connection));
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#life;
  }

  async #live(js: JetStreamClient): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        await this.#publishRuns(js);
        await this.#publishNotices(js);
      } catch (error) {
        if (!signal.aborted) this.#context.log(`fleet: events: ${(error as Error).message}`);
      }
      await pause(pollEveryMs, signal);
    }
  }

  async #publishRuns(js: JetStreamClient): Promise<void> {
    const { membership, ...context } = this.#context;
    const runs = context.runs.all();
    for (const run of runs) {
      const state = run.status === 'running' ? (run.health ?? 'healthy') : 'ended';
      const before = this.#health.get(run.id);
      if (before === state) continue;
      const isNews =
        state === 'ended' ? !context.runs.isReported(run.id) : before !== undefined || state !== 'healthy';
      if (isNews) await this.#publish(js, eventOf(membership.name, run, state), idOf(run, state));
      if (isNews && state === 'ended') context.runs.noteReported(run.id);
      this.#health.set(run.id, state);
    }
    const known = new Set(runs.map(({ id }) => id));
    for (const id of this.#health.keys()) if (!known.has(id)) this.#health.delete(id);
  }

  async #publishNotices(js: JetStreamClient): Promise<void> {
    const { runs, membership } = this.#context;
    for (;;) {
      const request = { requestId: `fleet.${Date.now()}`, signal: this.#ended.signal };
      const answer = await runs.answer('notices', { consumer, limit: noticesMax }, request);
      if (answer.status !== 200) return;
      const { notices, last, more } = answer.body as NoticesOutput;
      for (const notice of notices) {
        const event: FleetEvent = {
          kind: notice.kind,
          host: membership.name,
          at: notice.at,
          runId: notice.runId ?? null,
          label: notice.label ?? '',
          text: notice.text,
          task: notice.task ?? null,
          owner: notice.owner ?? null,
          tags: notice.tags ?? [],
        };
        await this.#publish(js, event, `${membership.id}.notice.${notice.seq}`);
      }
      if (notices.length === 0) return;
      const done = { requestId: `fleet.ack.${last}`, signal: this.#ended.signal };
      await runs.answer('notices', { consumer, ack: last, limit: 1 }, done);
      if (more === 0) return;
    }
  }

  async #publish(js: JetStreamClient, event: FleetEvent, msgID: string): Promise<void> {
    await js.publish(this.#context.names.eventSubject(event.host, event.kind), encodeJson(event), { msgID });
  }
}

/** The id of an end is the same after every crash; changes of health are counted by time. */
function idOf(run: LocalRun, state: string): string {
  return state === 'ended' ? `${run.id}.ended` : `${run.id}.${state}.${Date.now()}`;
}

function eventOf(host: string, run: LocalRun, state: string): FleetEvent {
  const { id, label, task, owner, tags, exit, why } = run;
  const about = { host, at: new Date().toISOString(), runId: id, label, task, owner, tags };
  return state === 'ended'
    ? { kind: 'ended', text: `${label} has ended: ${exitWords(exit)}`, ...about, exit: exit ?? null }
    : { kind: 'health', text: `${label} is ${state}: ${why}`, ...about, health: state };
}
