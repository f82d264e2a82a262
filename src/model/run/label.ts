import { Failure } from '../failure.js';

/** Throws a Failure for a blank label: it cannot be typed to name the run. */
export function checkLabel(label: string | undefined): void {
  if (label === undefined || label.trim() !== '') return;
  throw new Failure(
    'bad-input',
    `the label ${JSON.stringify(label)} is blank`,
    'give a name, such as --label api; without a label it is made from the command',
  );
}
