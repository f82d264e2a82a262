const facts = ['text', 'redact', 'model', 'config', 'places', 'probe', 'diagnose', 'store'];
const runs = [...facts, 'run', 'notices', 'registry'];
const engine = [...runs, 'watchdog', 'orphans'];
const face = ['text', 'redact', 'model', 'config', 'control'];

/**
 * The folders of src/ from the bottom up: what each is for, and which others it may import, types included. Every
 * folder may import itself. check-layers.mjs checks the imports; a test checks the table in docs/architecture.md.
 * `pure`: no Node module and no package, so that the result depends on the arguments alone.
 * `door`: other folders import only the files directly in it.
 * @type {Record<string, { what: string, may: readonly string[], pure?: true, door?: true }>}
 */
export const layers = {
  text: { what: 'durations, sizes, patterns, printable text', may: [], pure: true },
  redact: { what: 'masking of secrets', may: ['text'], pure: true },
  model: {
    what: 'types and vocabulary: facts, verdict, health, run, notice, orphan, operations',
    may: ['text', 'redact'],
    pure: true,
  },
  config: { what: 'one table of options; each value and its source', may: ['text', 'redact', 'model'] },
  places: {
    what: "other hosts and containers, through the user's own clients: scripts, sessions, runs there",
    may: ['text', 'redact', 'model', 'config'],
  },
  probe: {
    what: 'the only code that reads the kernel; its doors are the files directly in the folder',
    may: ['text', 'redact', 'model', 'config', 'places'],
    door: true,
  },
  diagnose: {
    what: 'judgement and its sentences: wait graph, rules, health over time, progress, agents',
    may: ['text', 'redact', 'model'],
    pure: true,
  },
  store: { what: 'files of runs, histories and notices on disk', may: ['text', 'redact', 'model', 'config'] },
  run: {
    what: 'one command from its start to its end: launch, output, input, health, stop, report',
    may: facts,
  },
  notices: {
    what: 'search of output for patterns; delivery to commands and webhooks',
    may: [...facts, 'run'],
  },
  registry: {
    what: 'the place of many background runs: find, start, sample together, kill, retain, lease',
    may: [...facts, 'run', 'notices'],
  },
  watchdog: {
    what: 'a process that another program started',
    may: [...facts, 'run'],
  },
  orphans: {
    what: 'processes that outlived their run: facts, judgement, stop',
    may: runs,
  },
  fleet: {
    what: 'many machines on a NATS server: membership, requests, queue, events',
    may: ['text', 'redact', 'model', 'config', 'store'],
  },
  control: {
    what: 'operations, the client of the daemon, functions of the library',
    may: [...engine, 'fleet'],
  },
  daemon: { what: 'lock, socket, HTTP, metrics', may: [...engine, 'fleet', 'control'] },
  mcp: { what: 'the MCP server', may: face },
  web: { what: 'the server of the dashboard: login, calls, event stream', may: [...face, 'daemon'] },
  cli: { what: 'parses, calls, prints; one folder per command', may: [...face, 'daemon', 'mcp', 'web'] },
  'index.ts': { what: 'the library: exports only', may: [...engine, 'fleet', 'control'] },
};
