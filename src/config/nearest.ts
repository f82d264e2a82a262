/** Edit distance: letters to insert, remove, replace, or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
        row > 1 && column > 1 && swapped ? (before[column - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = current;
  }
  return last[b.length] as number;
}

const wordLengthMax = 40;

/** The likely intended name: `kill-on` is `killOn`, `timout` is `timeout`. null: none is similar. */
export function nearest(word: string, names: readonly string[]): string | null {
  const bare = (text: string) => text.replace(/[-_ ]/g, '').toLowerCase();
  const wanted = bare(word.slice(0, wordLengthMax));
  let best: { name: string; distance: number } | null = null;
  for (const name of names) {
    const distance = editDistance(wanted, bare(name));
    if (best === null || distance < best.distance) best = { name, distance };
  }
  return best !== null && best.distance <= Math.max(1, Math.floor(wanted.length / 3)) ? best.name : null;
}
