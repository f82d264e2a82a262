/** POSIX timers (timer_create) of a process. setitimer and alarm show nowhere. */
export function countTimers(text: string): number {
  return text.match(/^ID: /gm)?.length ?? 0;
}
