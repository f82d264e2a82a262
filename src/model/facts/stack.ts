/** Language runtimes that an executable itself tells. */
export type Runtime = 'go' | 'java' | 'node' | 'python' | 'ruby';

/** One function on a stack. */
export interface StackFrame {
  function: string;
  file: string | null;
  line: number | null;
}

/** How frames were obtained. Reading memory and asking what jstack asks leave no trace in the program's output. */
export type StackSource = 'memory' | 'py-spy' | 'jstack' | 'gdb' | 'inspector';

/** The stack of one thread or goroutine, innermost frame first. */
export interface ThreadStack {
  pid: number;
  /** null: not bound to a kernel thread, as goroutines are. */
  tid: number | null;
  /** The thread's name, or the goroutine with what it waits for. */
  name: string;
  language: Exclude<Runtime, 'ruby'> | 'native';
  from: StackSource;
  frames: StackFrame[];
}

/** The test that a process was running. */
export interface RunningTest {
  /** As the runner prints it: `test_locks.py::test_two_locks`, `LocksTest.twoLocks`. */
  name: string;
  file: string | null;
  line: number | null;
  /** What names it; after: `name` is that of the last test that ended, and this one comes after it. */
  from: 'stack' | 'environment' | 'thread' | 'arguments' | 'output' | 'runner' | 'after';
}

/** What is known about the code of one process: part of a snapshot, plain JSON of bounded size. */
export interface ProcessStacks {
  pid: number;
  threads: ThreadStack[];
  /** What the test runner itself says about the running test; absent: nothing. */
  test?: RunningTest;
  /** What keeps the program open, as its runtime names it; absent: not asked. */
  handles?: string[];
}

/** What is shown of the stack of the stuck process: own code in full, runs of other frames folded into one line. */
export interface ShownStack {
  pid: number;
  /** The thread, as in `thread 4711 (worker)`. */
  thread: string;
  from: StackSource;
  /** At most 12 lines, innermost first. */
  lines: string[];
}

/** A stack as lines of text: the thread, then its frames, innermost first. */
export function stackLines(stacks: readonly ShownStack[] | undefined): string[] {
  return (stacks ?? []).flatMap(({ pid, thread, from, lines }) => [
    `stack of ${pid}, ${thread}${from === 'memory' ? '' : `, by ${from}`}:`,
    ...lines.map((line) => `  ${line}`),
  ]);
}
