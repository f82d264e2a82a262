import type { ListedRun } from './operations/outputs.js';

/** A machine of a fleet. */
export interface FleetHost {
  name: string;
  /** When it was seen last. */
  seen: string;
  /** Live runs, as the host said last. */
  runs: number;
  jobs: number;
  slots: number;
  labels: string[];
  accept: string[];
  version: string;
  /** Why its runs are not in the list: it is not there. */
  away?: string;
  /** Why its runs are not in the list although it is there. */
  busy?: string;
}

/** A run of a machine of a fleet; its id is `HOST/ID`. */
export type FleetRun = ListedRun & { host: string };

/** Machines and runs of a fleet. */
export interface FleetList {
  hosts: FleetHost[];
  runs: FleetRun[];
}
