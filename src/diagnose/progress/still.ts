const spinner = /[\u2800-\u28ff◐◓◑◒◴◷◶◵◰◳◲◱◜◝◞◟⣾⣽⣻⢿⡿⣟⣯⣷▖▘▝▗◢◣◤◥]|(?:^|(?<=\s))[|/\\-](?=\s|$)/g;
const clock = /\d{4}-\d\d-\d\d[T ]|\d{1,3}:\d\d(?::\d\d)?(?:[.,]\d{1,9})?Z?/g;
const duration =
  /\d{1,9}(?:\.\d{1,6})? ?(?:ms|µs|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)(?![A-Za-z])/g;
const growingDots = /(?<=[\p{L}\p{N})])(?:\.{1,3}|…)$/u;

/**
 * The part of a line that stays the same while it only shows that time goes by. Spinners, clocks and seconds
 * elapsed are left out; every other number may be progress.
 */
export function stillPart(line: string): string {
  return line
    .replace(spinner, '')
    .replace(clock, '')
    .replace(duration, '')
    .replace(growingDots, '')
    .replace(/\s+/g, ' ')
    .trim();
}
