import { type PlaceAddress, placeText, quoteWord } from '../model/place.js';
import { redact, redactWords } from '../redact/redact.js';

/** The address as it is shown and stored in reports: secrets in the words of a client are masked. */
export function shownPlace(address: PlaceAddress): string {
  return address.kind === 'via' ? `via:${redactWords(address.words, quoteWord)}` : redact(placeText(address));
}
