/**
 * DEL and C1 controls, line separators, and characters that turn the direction of text: a terminal may obey them, and
 * an editor may show them as something else.
 */
const treacherous = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** JSON as it leaves us. */
export function jsonText(value: unknown, indent?: number): string {
  return escapeJson(JSON.stringify(value, null, indent));
}

/** The same of JSON that is text already: outside of strings it has none of these characters. */
export function escapeJson(json: string): string {
  return json.replace(
    treacherous,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
