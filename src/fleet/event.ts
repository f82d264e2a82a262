/** What happened on a host of the fleet. */
export interface FleetEvent {
  /** ended, health, lost (a job), or the kind of a notice. */
  kind: string;
  host: string;
  at: string;
  runId: string | null;
  label: string;
  /** One sentence. */
  text: string;
  task: string | null;
  owner: string | null;
  tags: string[];
  exit?: unknown;
  health?: string;
}

/** One event, and how to report that it was handled. */
export interface GivenEvent {
  event: FleetEvent;
  /** Handled: it is not given again to this consumer. false: the server did not confirm it, so it may be given again. */
  done(): Promise<boolean>;
  /** Not handled: it is given again. */
  again(): void;
}
