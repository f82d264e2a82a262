/**
 * DEL, the controls from 0x80 to 0x9f, line separators, and bidirectional controls: a terminal may obey them, and an
 * editor may display them differently.
 */
const treacherous = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** JSON for output. */
export function jsonText(value: unknown, indent?: number): string {
  return escapeJson(JSON.stringify(value, null, indent));
}

/** The same for JSON text: outside strings it has none of these characters. */
export function escapeJson(json: string): string {
  return json.replace(
    treacherous,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
