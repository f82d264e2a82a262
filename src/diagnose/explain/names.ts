import type { FdFacts, ProcessFacts } from '../../model/facts/snapshot.js';
import { printable, printableName, printablePath } from '../../text/printable.js';
import type { Task, View } from '../graph/view.js';

const commandChars = 60;

/** The program's own name, as a person calls the process. */
export function shortName(process: ProcessFacts): string {
  return printableName(process.name);
}

/** `node(4374)`, as evidence lines name a process. */
export function tag(process: ProcessFacts): string {
  return `${shortName(process)}(${process.pid})`;
}

/** `node(4374) thread 4380`, where it is not the first thread. */
export function taskTag({ process, thread }: Task): string {
  return thread.tid === process.pid ? tag(process) : `${tag(process)} thread ${thread.tid}`;
}

/** The command line, short enough for one line; the directory of the program is left out first. */
export function commandLine(process: ProcessFacts): string {
  const whole = printable(process.command);
  const text = whole.length <= commandChars ? whole : whole.replace(/^\S*\//, '');
  return text.length <= commandChars ? text : `${text.slice(0, commandChars - 1)}…`;
}

export function nameOf(view: View, pid: number): string {
  const process = view.process(pid);
  return process === undefined ? `process ${pid}` : tag(process);
}

export function namesOf(view: View, pids: readonly number[]): string {
  const shown = pids.slice(0, 3).map((pid) => nameOf(view, pid));
  const more = pids.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `fd 0 = pipe:[60795]`. */
export function fileTag(file: FdFacts): string {
  return `fd ${file.fd} = ${printablePath(file.link)}`;
}
