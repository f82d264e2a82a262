/** The value of a JSON text from outside, or the other value where it is not JSON. */
export function jsonOr(text: string, other: null | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return other;
  }
}
