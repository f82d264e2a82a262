import type { FleetLogin } from '../../fleet/settings.js';
import type { ListInput, StartInput } from '../../model/operations/inputs.js';
import type { StartOutput } from '../../model/operations/outputs.js';
import type { JobRequest } from './add-job.js';
import type { FleetDoctorReport } from './doctor.js';
import type { FleetEvent, FleetEventOptions, GivenEvent } from './events.js';
import type { JoinRequest } from './join.js';
import type { FleetHost, FleetList, FleetRun } from './list.js';
import type { Job, QueueSettings } from './queue.js';

export type {
  FleetDoctorReport,
  FleetEvent,
  FleetEventOptions,
  FleetHost,
  FleetList,
  FleetLogin,
  FleetRun,
  GivenEvent,
  JobRequest,
  QueueSettings,
};
/** How a machine joins a fleet. */
export type FleetJoin = JoinRequest;
/** A job of the queue: what was asked for, and its state. */
export type FleetJob = Job;

/** Options of every function of `fleet`. */
export interface FleetOptions {
  /** Ends the waiting, never a run or a job. */
  signal?: AbortSignal | undefined;
}

/** The queue of a fleet. */
interface FleetQueue {
  /** Add a job; a host with a free slot and the needed labels takes it. */
  add(job: JobRequest, options?: FleetOptions): Promise<FleetJob>;
  /** All jobs, the newest last. */
  list(options?: FleetOptions): Promise<FleetJob[]>;
  /** Wait until a job is over, or the time is; null: without a limit. */
  wait(job: string, timeoutMs: number | null, options?: FleetOptions): Promise<FleetJob>;
  /** Take a job from the queue, or stop it where it runs. */
  cancel(job: string, options?: FleetOptions): Promise<FleetJob>;
  /** Run a job that is over once more. */
  retry(job: string, options?: FleetOptions): Promise<FleetJob>;
  /** Set priority and limit of a queue; with neither, read them. */
  set(
    queue: string,
    settings: { priority?: number | undefined; limit?: number | null | undefined },
    options?: FleetOptions,
  ): Promise<QueueSettings>;
}

/** Many machines on a NATS server. Runs of another machine are `HOST/ID` in `background`. */
interface Fleet {
  /** Make this machine a member; resolves when other machines can see it. */
  join(request: FleetJoin): Promise<{ name: string }>;
  /** Leave the fleet; the runs of this machine go on. */
  leave(): Promise<void>;
  /** The machines, without asking them. */
  hosts(options?: FleetOptions): Promise<FleetHost[]>;
  /** The runs of all machines. */
  list(filter: ListInput, options?: FleetOptions): Promise<FleetList>;
  /** Start a command on a machine that accepts it. */
  start(host: string, input: StartInput, options?: FleetOptions): Promise<StartOutput>;
  /** Ends, changes of health, notices and lost jobs of all machines, for a durable consumer, until aborted. */
  events(options: FleetEventOptions): AsyncGenerator<GivenEvent>;
  /** Check the server and every machine. */
  doctor(options?: FleetOptions): Promise<FleetDoctorReport>;
  queue: FleetQueue;
}

/** The NATS library is loaded at the first use. */
export const fleet: Fleet = {
  join: async (request) => {
    const { name } = await (await import('./join.js')).joinFleet(request);
    return { name };
  },
  leave: async () => {
    await (await import('./join.js')).leaveFleet();
  },
  hosts: async (options) => (await import('./list.js')).listHosts(options),
  list: async (filter, options) => (await import('./list.js')).listFleet(filter, options),
  start: async (host, input, options) => (await import('./start.js')).startOnHost(host, input, options),
  events: async function* (options) {
    yield* (await import('./events.js')).followEvents(options);
  },
  doctor: async (options) => (await import('./doctor.js')).fleetDoctor(options),
  queue: {
    add: async (job, options) => (await import('./add-job.js')).addJob(job, options),
    list: async (options) => (await import('./queue.js')).listJobs(options),
    wait: async (job, timeoutMs, options) => (await import('./queue.js')).waitForJob(job, timeoutMs, options),
    cancel: async (job, options) => (await import('./queue.js')).cancelJob(job, options),
    retry: async (job, options) => (await import('./queue.js')).retryJob(job, options),
    set: async (queue, settings, options) => (await import('./queue.js')).setQueue(queue, settings, options),
  },
};
