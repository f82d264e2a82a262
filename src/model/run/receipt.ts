/** Evidence that a process belongs to a run. */
export const memberships = ['leader', 'descendant', 'group', 'session', 'lineage', 'run-id'] as const;

export type Membership = (typeof memberships)[number];

export const receiptResults = ['ended', 'survived', 'not-permitted', 'identity-unproven'] as const;

/** The result for one process of a tree that was stopped. */
export interface ReceiptEntry {
  pid: number;
  startTicks: number;
  /** Secrets masked. */
  command: string;
  /** Why it is a member, the strongest reason first. */
  because: Membership[];
  /** Signals in the order they were sent. */
  signals: string[];
  result: (typeof receiptResults)[number];
}

/** Proof of what was stopped, and what was not. */
export interface Receipt {
  at: string;
  tookMs: number;
  /** Scans until nothing new was found. */
  rounds: number;
  /** false: not every process could be read, so there may be more. */
  whole: boolean;
  processes: ReceiptEntry[];
  survivors: number[];
  /** TCP ports the tree listened on, and whether they are free now. */
  ports: { port: number; free: boolean }[];
}
