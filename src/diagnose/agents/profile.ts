import type { AgentEvent, AgentName } from '../../model/run/agent.js';
import type { JsonObject } from './json-fields.js';

/**
 * What to do with a line, by its type. `parsed`: its fields matter; a mark: whether these bytes are in it, which needs
 * no parsing. Inside a string quotes are escaped, so a mark with quotes can only be a field. Lines of any other type
 * are signs of life.
 */
export type LineUse = 'parsed' | LineMark;

export interface LineMark {
  readonly mark: string;
  /** The events if the mark is present. */
  readonly events: readonly AgentEvent[];
}

/** All that Unstuck knows about one agent. None of it is ever added to a command line. */
export interface AgentProfile {
  readonly name: AgentName;
  /** The name as its vendor writes it. */
  readonly title: string;
  /** Its npm package; null: it has none. */
  readonly npmPackage: string | null;
  /** Flags that make it print its events as JSON lines. */
  readonly eventFlags: string;
  /** Matches a command line that has these flags. */
  readonly printsEvents: RegExp;
  /** How to keep the agent from asking where no user can answer. */
  readonly unattended: string;
  /** What its standard input has to be in an unattended run. */
  readonly stdin: string;
  /** Environment variables set for the agent like CI=1, where the user has not set them. */
  readonly quietEnv: Readonly<Record<string, string>>;
  /** Suggested limits for a run that has no limits of its own. */
  readonly limits: { readonly timeout: string; readonly idleTimeout: string };
  /** Names of its tools that run as a process of their own. */
  readonly shells: readonly string[];
  /** How to go on with the last session. */
  readonly resume: string;
  /** Where its hooks are set; null: it has none. */
  readonly hooks: string | null;
  /** The stream reports a tool only when the tool has ended: until its turn is over, a tool may be in flight. */
  readonly showsToolsLate?: true;
  readonly lines: Readonly<Record<string, LineUse>>;
  /**
   * The events of one line; none: the line only shows that the agent lives. Long texts in it are cut, and any field may
   * be missing or of another type.
   */
  events(line: JsonObject): AgentEvent[];
}
