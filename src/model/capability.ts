/** One thing a machine allows or does not, what it is for, and how to get it. */
export interface Capability {
  name: string;
  status: 'yes' | 'partly' | 'no';
  finding: string;
  /** What is lost without it; empty when nothing is. */
  costs: string;
  /** How to get it; empty when there is nothing to do. */
  fix: string;
}
