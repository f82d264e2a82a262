/**
 * Splits any text into line ends, cursor moves, `text`, and control sequences. `final` and `parameters` belong to a
 * sequence that begins with ESC [. An incomplete sequence, or a string (title, link, picture) without an end, ends with
 * its line at the latest, so that noise cannot swallow output. No two branches begin alike after ESC and its next
 * character, so the time is linear.
 */
export const controlSequence =
  /\x1b\[(?<parameters>[0-?]*)[ -/]*(?<final>[@-~])?|\x1b[\]PX^_][^\x07\x1b\x9c\n]*(?:\x07|\x9c|\x1b\\)?|\x1b[ -/]*[0-~]?|(?<text>[^\x00-\x08\x0a-\x1f\x7f-\x9f]+)|[\s\S]/g;
