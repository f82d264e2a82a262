import type { ScreenClaim } from '../../model/run/screen-claim.js';
import type { Verdict } from '../../model/verdict.js';
import { formatDuration } from '../../text/duration.js';

const sentences: Record<ScreenClaim['shows'], (name: string, claim: ScreenClaim) => string> = {
  asks: (name, { text }) => (text === '' ? `${name} asks a question` : `${name} asks: "${text}"`),
  idle: (name) => `${name} is idle at its prompt`,
  thinking: (name, { forMs }) => `${name} waits for its model since ${formatDuration(forMs)}`,
  tool: (name) => `${name} runs a tool`,
  lively: (name) => `${name} redraws its screen by itself; it takes keys, but needs none`,
};

/** A sentence, with the text of the screen as a quotation. */
export function screenWords(claim: ScreenClaim, { command }: Pick<Verdict, 'command'>): string {
  return sentences[claim.shows](claim.name ?? programOf(command), claim);
}

/** `dialog waits for a person to press a key: "Remove it?"`. */
export function withQuotation(reason: string, { text }: ScreenClaim): string {
  return `${reason}: "${text}"`;
}

export function screenEvidence({ shows, text, forMs }: ScreenClaim): string {
  const quoted = text === '' ? '' : ` "${text}"`;
  return `its screen shows: ${shows}${quoted}, the same for ${formatDuration(forMs)} apart from clocks`;
}

function programOf(command: string): string {
  const [first = ''] = command.split(' ', 1);
  return first.slice(first.lastIndexOf('/') + 1) || 'the command';
}
