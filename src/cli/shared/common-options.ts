import { Option } from '@commander-js/extra-typings';
import { runStatuses } from '../../model/run/background.js';

/** Options and sentences that several commands have. */

export const json = ['--json', 'print the answer as one JSON object'] as const;
export const raw = ['--raw', 'pass every byte to a terminal; by default only colours'] as const;
export const idHelp = 'run id, at least its first 4 characters, or label';

export const statusOption = () =>
  new Option('--status <name>', 'only runs with this status').choices(runStatuses);

/** Collects the values of an option that may be given more than once. */
export const several = (text: string, before: string[] | undefined) => [...(before ?? []), text];

export const codes = `
Exit code: 0, 1 when there is no such run, 125 when Unstuck itself failed.`;

export const inputCodes = `
Exit code: 0, 1 when there is no such run, it has ended or its input is closed, 125 when Unstuck itself failed.`;
