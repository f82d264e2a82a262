import type { StackFrame, ThreadStack } from '../../model/facts/stack.js';

const foreignNative = /^<?(?:core|std|alloc|test)::|^__|::main$|^main$/;

/** Code that comes with the language, a package or a test runner: of no interest to the reader. */
const foreign: Record<ThreadStack['language'], (frame: StackFrame) => boolean> = {
  python: ({ file }) =>
    file === null || /\/lib\/python\d|\/(?:site|dist)-packages\/|^<|^\/usr\/lib\/python/.test(file),
  go: ({ function: name, file }) =>
    /^(?:runtime|testing|sync|internal\/[\w/]+|main\.main)\b[./(]/.test(name) ||
    (file !== null && /\/go[^/]*\/src\/[^./]+\/|\/pkg\/mod\/|^_testmain\.go$/.test(file)),
  java: ({ function: name }) =>
    /^(?:java|javax|jdk|sun|com\.sun|org\.junit|junit|org\.apache\.maven|org\.gradle|worker\.org|kotlin|scala|org\.opentest4j|org\.testng)\./.test(
      name,
    ),
  node: ({ file }) => file === null || /^node:|\/node_modules\/|^$/.test(file),
  native: ({ file, function: name }) =>
    file === null ||
    foreignNative.test(name) ||
    /^\/rustc\/|^library\/|sysdeps\/|\/nptl\/|\/libio\//.test(file),
};

export function isOwnCode({ language }: ThreadStack, frame: StackFrame): boolean {
  return !foreign[language](frame);
}

/** `test_two_locks (test_locks.py:12)`. */
export function frameWords({ function: name, file, line }: StackFrame): string {
  if (file === null) return name;
  const place = file.split('/').at(-1) ?? file;
  return `${name} (${line === null ? place : `${place}:${line}`})`;
}
