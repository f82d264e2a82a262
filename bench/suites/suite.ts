/** Statuses by the name of the test: `ok`, `skipped`, `failed`, … as the suite has them. */
export type Statuses = Map<string, string>;

/** A test suite of other people that can run here. */
export interface Suite {
  name: string;
  /** Of the program that is tested. */
  version: string;
  /** `dir`: empty, of this run only. */
  prepare(dir: string): { argv: string[]; cwd: string };
  statuses(dir: string, output: string): Statuses;
}

/** A suite that cannot run here. */
export interface Missing {
  name: string;
  why: string;
}

export interface Found {
  suites: Suite[];
  missing: Missing[];
}
