import { agentNames } from '../../model/run/agent.js';
import { defaultPreset, presetNames } from '../../model/run/health.js';
import type { OptionSpec } from '../option.js';

/** What counts as stuck. */
export const judging = {
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
} as const satisfies Record<string, OptionSpec>;
