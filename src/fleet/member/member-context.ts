import type { NatsConnection } from '@nats-io/transport-node';
import type { FleetNames } from '../names.js';
import type { ServerClock } from '../server-clock.js';
import type { Membership } from '../settings.js';
import type { LocalRuns } from './local-runs.js';

/** What the parts of a member share while it has a connection. */
export interface MemberContext {
  connection: NatsConnection;
  membership: Membership;
  names: FleetNames;
  clock: ServerClock;
  runs: LocalRuns;
  /** One line for the log of the daemon. */
  log(line: string): void;
}
