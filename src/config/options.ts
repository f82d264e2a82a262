import type { KindValues, OptionRow, OptionSpec } from './option.js';
import { judging } from './options/judging.js';
import { keeping } from './options/keeping.js';
import { running } from './options/running.js';
import { showing } from './options/showing.js';
import { stopping } from './options/stopping.js';

/**
 * All options of `unstuck run`, under the headings of its help. Flags, variables, keys in files, help and completion
 * are made from this table.
 */
const table = {
  'When to stop it': stopping,
  'What counts as stuck': judging,
  'What to show': showing,
  'What to keep': keeping,
  'How to run it': running,
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
