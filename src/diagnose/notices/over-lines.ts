/** Groups that do not change what `^`, `.` and letters mean within them. */
const knownGroup = /^\((?!\?)|^\(\?(?:[:=!]|<[=!]|<[A-Za-z_$][\w$]*>)/;
/** `\d` and the like, and characters that mean themselves. Others may be longer, or mean a group. */
const knownEscape = /^\\(?:[dDwWsSbBtrnfv]|[^A-Za-z0-9])/;
const characterClass = /^\[(?:\\.|[^\]\\])*\]/s;
/** Zero-width: a place between two characters. */
const placeEscapes = new Set(['\\b', '\\B']);

/**
 * The same regular expression for many lines at once: it matches within a line of a text exactly when the given
 * expression matches that line alone. At a newline everything fails as it does at the end, and `^` and `$` are at each
 * line. This holds for a text whose only line terminator is the newline. null: no such expression is known.
 */
export function regexOverLines({ source, flags }: RegExp): RegExp | null {
  if (/[uv]/.test(flags)) return null;
  const kept = flags.replace(/[dgm]/g, '');
  let written = '';
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at);
    const atom = atomOf(rest);
    if (atom === null) return null;
    written += isCharacter(atom) ? withoutNewline(atom, kept) : atom;
    at += atom.length;
  }
  return new RegExp(written, `${kept}gm`);
}

/** The first atom; null: an atom that is not known here. */
function atomOf(rest: string): string | null {
  switch (rest[0]) {
    case '(':
      return knownGroup.exec(rest)?.[0] ?? null;
    case '\\':
      return knownEscape.exec(rest)?.[0] ?? null;
    case '[':
      return characterClass.exec(rest)?.[0] ?? null;
    default:
      return rest[0] ?? null;
  }
}

/** Stands for a single character out of many. */
function isCharacter(atom: string): boolean {
  return atom === '.' || atom[0] === '[' || (atom[0] === '\\' && !placeEscapes.has(atom));
}

/** The regex engine itself decides whether the atom can match a newline. */
function withoutNewline(atom: string, flags: string): string {
  if (!new RegExp(`^${atom}$`, flags).test('\n')) return atom;
  // These two are common, and faster in this form.
  if (atom === '\\s') return '[^\\S\\n]';
  if (/^\[\^[^-]/.test(atom)) return `[^\\n${atom.slice(2)}`;
  return `(?:(?!\\n)${atom})`;
}
