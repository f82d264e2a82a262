import { type PlaceAddress, quoteWord } from '../model/place.js';
import { redactWords } from '../redact/redact.js';
import { clientWords } from './client-words.js';

/** What to type here to run a command in a place. Secrets are masked. */
export function commandIn(address: PlaceAddress, command: string): string {
  if (address.kind === 'ssh') return `ssh ${quoteWord(address.host)} ${command}`;
  const client = clientWords(address, [], {}).filter((word) => word !== '-i');
  return `${redactWords(client, quoteWord)} ${command}`;
}

/** `kill 12` of an answer is typed here and meant there. */
export function stepsIn(address: PlaceAddress, steps: readonly string[]): string[] {
  return steps.map((step) => step.replace(/\bkill (?=-|\d)/g, () => `${commandIn(address, 'kill')} `));
}
