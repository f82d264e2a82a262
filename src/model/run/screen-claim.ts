import type { AgentScreenState } from './agent.js';

/**
 * What a screen shows of the program that painted it. `asks`: a question with its text; `idle`: an agent at its prompt, with
 * nothing to do; `thinking`: an agent waits for its model; `tool`: an agent runs a command; `lively`: it goes on by itself.
 */
export interface ScreenClaim {
  shows: AgentScreenState | 'lively';
  /** The program; null: only its processes tell. */
  name: string | null;
  /** The question; '': it has none, or could not be read. */
  text: string;
  /** For how long nothing but clocks has moved; `thinking`: for how long it has been so. */
  forMs: number;
  /** What its tree used over the last window; 100 is one core. */
  cpuPercent: number;
}

/** What the screen alone tells. */
export type ScreenReading = Omit<ScreenClaim, 'cpuPercent'>;
