import type { AgentEvent, AgentName } from '../../model/agent.js';
import type { JsonObject } from './json-fields.js';

/**
 * How much of a line has to be read, by its type. `whole`: all of it; `head`: the ids at its beginning, not the
 * output of a tool that follows; a mark: whether these bytes are in it, which needs no parsing. Inside a string quotes
 * are escaped, so a mark with quotes can only be a field. Lines of any other type are signs of life.
 */
export type LineUse = 'whole' | 'head' | LineMark;

export interface LineMark {
  readonly mark: string;
  /** What it means if it is there. */
  readonly events: readonly AgentEvent[];
}

/** All that Unstuck knows about one agent. Nothing of it is ever added to a command line. */
export interface AgentProfile {
  readonly name: AgentName;
  /** As its makers write it. */
  readonly title: string;
  /** Its npm package; null: there is none. */
  readonly npmPackage: string | null;
  /** Flags that make it print its events as JSON lines. */
  readonly eventFlags: string;
  /** How to keep it from asking where nobody can answer. */
  readonly unattended: string;
  /** What its standard input has to be when nobody types. */
  readonly stdin: string;
  /** Set for it like CI=1, where the user has not set them. */
  readonly quietEnv: Readonly<Record<string, string>>;
  /** What a run of it may be limited to; for whoever has no limits of their own. */
  readonly limits: { readonly timeout: string; readonly idleTimeout: string };
  readonly lines: Readonly<Record<string, LineUse>>;
  /** What one line means; nothing: it lives. It may be cut short: any field may be missing or of another type. */
  events(line: JsonObject): AgentEvent[];
}
