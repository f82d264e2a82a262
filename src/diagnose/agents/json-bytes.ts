export const quote = 0x22;
export const backslash = 0x5c;
export const comma = 0x2c;
export const colon = 0x3a;
export const letterU = 0x75;
export const objectStart = 0x7b;
export const objectEnd = 0x7d;
export const listStart = 0x5b;
export const listEnd = 0x5d;

/** Whitespace between the tokens of a line. */
export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

/** Whether the byte ends a number, true, false or null. */
export function isLiteralEnd(byte: number): boolean {
  return byte <= 0x20 || byte === comma || byte === objectEnd || byte === listEnd || byte === quote;
}
