import { agentNames } from '../model/run/agent.js';
import { defaultPreset, presetNames } from '../model/run/health.js';
import type { KindValues, OptionRow, OptionSpec } from './option.js';

/**
 * All options of `unstuck run`, under the headings of its help. Flags, variables, keys in files, help and completion
 * are made from this table.
 */
const table = {
  'When to stop it': {
    timeout: { kind: 'duration', default: '0', help: 'stop it after this time, exit code 124; 0: never' },
    idleTimeout: {
      kind: 'duration',
      default: '0',
      help: 'stop it when it printed nothing for this time, exit code 121; 0: never',
    },
    killOn: {
      kind: 'choice',
      choices: ['never', 'certain', 'high', 'medium'],
      default: 'never',
      value: 'confidence',
      help: 'stop it when it is stuck with at least this confidence, exit code 121',
    },
    killStuck: {
      kind: 'choice',
      choices: ['never', 'part', 'tree'],
      default: 'never',
      value: 'what',
      help: 'when a part of it is proven stuck while the rest goes on: stop that part only, so that its parent goes on, or the whole tree (exit code 121)',
    },
    killOnStall: {
      kind: 'boolean',
      default: false,
      help: 'stop it when its output stalls: the same line over and over, or progress that ended',
    },
    grace: { kind: 'duration', default: '5s', help: 'time between SIGTERM and SIGKILL, for the whole tree' },
    leftovers: {
      kind: 'choice',
      choices: ['keep', 'kill'],
      default: 'keep',
      value: 'what',
      help: 'what happens to processes that outlive the command',
    },
    linger: {
      kind: 'duration',
      default: '2s',
      help: 'how long to wait for output that a left-over process holds open',
    },
  },
  'What counts as stuck': {
    preset: {
      kind: 'choice',
      choices: presetNames,
      default: defaultPreset,
      value: 'name',
      help: 'set of defaults for the thresholds below',
    },
    sample: {
      kind: 'duration',
      minMs: 20,
      threshold: 'sampleMs',
      help: 'time between two samples of the tree',
    },
    activityWindow: {
      kind: 'duration',
      minMs: 20,
      threshold: 'activityMs',
      help: 'CPU, I/O and network activity is measured over this time',
    },
    silence: {
      kind: 'duration',
      minMs: 1,
      threshold: 'silenceMs',
      help: 'no output for this long: suspicious',
    },
    escalate: {
      kind: 'duration',
      threshold: 'escalateMs',
      help: 'silent and idle for this long: high confidence instead of medium',
    },
    confirm: { kind: 'duration', threshold: 'confirmMs', help: 'silent and idle for this long: confirmed' },
    cpu: {
      kind: 'number',
      min: 0,
      max: 100_000,
      unit: '%',
      threshold: 'cpuPercent',
      value: 'percent',
      help: 'less CPU than this is idle; 100 is one core',
    },
    io: {
      kind: 'size',
      threshold: 'ioBytes',
      value: 'bytes',
      help: 'fewer bytes read and written in the activity window than this are idle',
    },
    networkPatience: {
      kind: 'duration',
      minMs: 1,
      threshold: 'networkPatienceMs',
      help: 'a connection without a byte for this long is likely dead',
    },
    proofSamples: {
      kind: 'number',
      min: 2,
      max: 1000,
      whole: true,
      threshold: 'proofSamples',
      value: 'count',
      help: 'consecutive samples required before a proof is reported',
    },
    expectOutputEvery: {
      kind: 'duration',
      default: '0',
      help: 'it prints at least this often; no output for longer: likely stuck, high; 0: not known',
    },
    expectDoneIn: {
      kind: 'duration',
      default: '0',
      help: 'it ends within this time; longer: likely stuck, high; 0: not known',
    },
    armAfter: { kind: 'duration', default: '6m', help: 'no stall detection before this time' },
    sameLinePulses: {
      kind: 'number',
      min: 0,
      max: 1000,
      whole: true,
      default: 3,
      value: 'count',
      help: 'the same last line over this many heartbeats is a stall; 0: never',
    },
    progress: {
      kind: 'regex',
      default: null,
      help: 'how to read progress from the output, such as "(\\d+) of (\\d+)"; common tools are known',
    },
    phase: {
      kind: 'list',
      default: [],
      value: 'name=regex',
      help: 'name a phase by the commands that run in it; may be given more than once',
    },
    agent: {
      kind: 'choice',
      choices: ['auto', 'none', ...agentNames],
      default: 'auto',
      value: 'name',
      help: 'read the events of this agent from the output: turn, tool, tokens, result; auto: known by its name',
    },
    agentPatience: {
      kind: 'duration',
      default: '30s',
      help: 'report an agent that still runs this long after its result, or sleeps this long without one',
    },
  },
  'What to show': {
    heartbeat: { kind: 'duration', default: '1m', help: 'time between two heartbeats on stderr; 0: none' },
    status: {
      kind: 'choice',
      choices: ['auto', 'live', 'lines', 'none'],
      default: 'auto',
      value: 'how',
      help: 'health on stderr: one live line, lines, or nothing; auto: live on a terminal',
    },
    label: {
      kind: 'text',
      default: null,
      value: 'name',
      help: 'a name for it; made from the command if not given',
    },
    json: {
      kind: 'boolean',
      default: false,
      help: 'print one JSON object per event on stdout, the output of the command included',
    },
  },
  'What to keep': {
    stacks: {
      kind: 'choice',
      choices: ['none', 'quiet', 'ask'],
      default: 'quiet',
      value: 'how',
      help: 'stacks of a hang: none; quiet: read from memory; ask: also ask Node (inspector) and native programs (debugger)',
    },
    keepLog: {
      kind: 'choice',
      choices: ['failure', 'always', 'never'],
      default: 'failure',
      value: 'when',
      help: 'when the full output stays on disk',
    },
    logDir: {
      kind: 'path',
      default: null,
      value: 'dir',
      help: 'where logs and evidence go instead of the state directory',
    },
    logCap: {
      kind: 'size',
      default: 1024 ** 3,
      value: 'bytes',
      help: 'of a run in the background, no more output than this stays on disk, the oldest goes; 0: all of it stays',
    },
    report: { kind: 'path', default: null, value: 'file', help: 'write the report as JSON, however it ends' },
    junit: { kind: 'path', default: null, value: 'file', help: 'write the report as JUnit XML' },
    markdown: {
      kind: 'path',
      default: null,
      value: 'file',
      help: 'write the report as Markdown, as CI job summaries show it',
    },
  },
  'How to run it': {
    stdin: {
      kind: 'choice',
      choices: ['auto', 'null', 'inherit', 'pipe'],
      default: 'auto',
      value: 'what',
      help: 'what the command reads; auto and inherit: the input of unstuck run, pipe: a copy of it',
    },
    pty: {
      kind: 'boolean',
      default: false,
      help: 'give it a terminal of its own, as it has by default where unstuck run is at a terminal',
    },
    quietEnv: {
      kind: 'boolean',
      default: true,
      help: 'set variables that keep known tools from asking questions, such as CI=1; not at a terminal',
    },
    history: {
      kind: 'boolean',
      default: true,
      help: 'remember how the run went, and judge it by earlier runs of the same command',
    },
    historyKey: {
      kind: 'text',
      default: null,
      value: 'name',
      help: 'runs with the same key are compared; made from command and project if not given',
    },
    projectFile: {
      kind: 'boolean',
      default: true,
      notInProjectFile: true,
      help: 'read unstuck.json of the project',
    },
  },
} as const satisfies Record<string, Record<string, OptionSpec>>;

type Table = typeof table;

type Specs = { [Group in keyof Table]: Table[Group] }[keyof Table];

type Merged<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

type ValueOf<Spec, Kinds> = Spec extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Spec extends { kind: infer Kind extends keyof Kinds }
    ? Kinds[Kind]
    : never;

/** One type per key of the table: its choices, or the type that `Kinds` has for its kind. */
export type ValuesBy<Kinds> = { [Key in keyof Merged<Specs>]: ValueOf<Merged<Specs>[Key], Kinds> };

/** Every value by its key. */
export type Values = ValuesBy<KindValues>;

export type OptionKey = keyof Values;

/** The table as a list, in the order of the help. */
export const options: readonly OptionRow<OptionKey>[] = Object.entries(table).flatMap(([group, specs]) =>
  Object.entries(specs as Record<string, OptionSpec>).map(([key, spec]) => ({
    ...spec,
    key: key as OptionKey,
    group,
  })),
);

/** Options that can end a command (`always`), and those that make another one end it sooner. */
export const ending = {
  always: ['timeout', 'idleTimeout', 'killOn', 'killStuck', 'killOnStall', 'leftovers'],
  killOn: [
    ...(['preset', 'sample', 'activityWindow', 'silence', 'escalate', 'confirm', 'cpu', 'io'] as const),
    ...(['networkPatience', 'proofSamples', 'agent', 'agentPatience'] as const),
    ...(['expectOutputEvery', 'expectDoneIn'] as const),
  ],
  killOnStall: ['armAfter', 'sameLinePulses', 'progress'],
} as const satisfies Record<string, readonly OptionKey[]>;
