/** A capability of a machine, what it is for, and how to get it. */
export interface Capability {
  name: string;
  status: 'yes' | 'partly' | 'no';
  finding: string;
  /** What is lost without it; empty: nothing. */
  costs: string;
  /** How to get it; empty: nothing can be done. */
  fix: string;
}

/** A capability that is there. */
export const available = (name: string, finding: string): Capability => ({
  name,
  status: 'yes',
  finding,
  costs: '',
  fix: '',
});
