import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentName } from '../../../src/model/run/agent.js';

export interface McpServer {
  name: string;
  argv: readonly string[];
  /** How long the agent waits for an answer of it; absent: as long as the agent does by default. */
  limitMs?: number;
}

/** Where a run of an agent takes place. */
export interface Place {
  /** Its HOME. */
  home: string;
  /** Its working directory. */
  project: string;
  /** The scripted API. */
  port: number;
  /** A server for the Model Context Protocol. */
  mcp: McpServer;
  /** A shell command that the agent runs as its hook for the end of a session; null: it has no hook. */
  endHook: string | null;
}

export interface BenchAgent {
  name: AgentName;
  /** npm packages with the versions that are proven; the first is the agent itself. */
  packages: readonly [string, ...string[]];
  /** argv of the program; the files are below node_modules. */
  program: readonly string[];
  /**
   * It notices the end of a tool that a signal has ended only when the time limit of its tools is over. A shell that
   * outlives its stuck command returns a code, which is noticed at once.
   */
  toolLimitMs?: number;
  /** Without a network it still runs for this long after its result. */
  lingersMs?: number;
  env(place: Place): Record<string, string>;
  /** What it reads at start-up, by path below its HOME. */
  files(place: Place): Record<string, string>;
  args(place: Place): string[];
  /** Among `args`: what makes it print events. Without these it prints text. */
  eventArgs: readonly string[];
  /** Instead of `args`: it asks the program that started it before it runs a tool; absent: it cannot. */
  asking?: { args(place: Place): string[]; input: string };
  /** Instead of `args` and over `files`: it paints a screen, and asks there before it runs a tool. */
  onScreen?: { args: readonly string[]; files(place: Place): Record<string, string> };
}

export const apiUrl = ({ port }: Place): string => `http://127.0.0.1:${port}`;

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Writes what an agent reads at start-up. */
export function settle(agent: BenchAgent, place: Place, isOnScreen = false): void {
  const files = { ...agent.files(place), ...(isOnScreen ? agent.onScreen?.files(place) : {}) };
  for (const [name, text] of Object.entries(files)) {
    const file = join(place.home, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
