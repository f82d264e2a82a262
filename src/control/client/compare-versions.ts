/** As in semver.org: below 0, the first is older. A string that is not a version is older than any version. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [parse(a), parse(b)];
  for (let i = 0; i < 3; i += 1) {
    const difference = (first.numbers[i] ?? -1) - (second.numbers[i] ?? -1);
    if (difference !== 0) return difference;
  }
  if (first.before.length === 0 || second.before.length === 0)
    return second.before.length - first.before.length;
  for (let i = 0; i < Math.max(first.before.length, second.before.length); i += 1) {
    const difference = comparePrerelease(first.before[i], second.before[i]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function parse(version: string): { numbers: number[]; before: string[] } {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+.*)?$/.exec(version);
  if (match === null) return { numbers: [], before: [] };
  return { numbers: match.slice(1, 4).map(Number), before: match[4]?.split('.') ?? [] };
}

/** Compares prerelease identifiers: fewer are older, numbers are older than names. */
function comparePrerelease(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return Number(a) - Number(b);
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
