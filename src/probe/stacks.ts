// Language stacks of live processes.
export { type AskLevel, askStacks } from './stacks/ask-stacks.js';
export { readDialled } from './stacks/dialled.js';
export { dumpStacks } from './stacks/dump-stacks.js';
export { readStacks } from './stacks/read-stacks.js';
