import { family } from '../hang-case.js';

/** They read a stdin that somebody holds open and never writes to. */
export const pipePrompts = family('prompt on a pipe', { label: 'stuck', actor: 'whoever may type' }, [
  ['python-input', { quick: true }],
  'perl-stdin',
  'bash-read-socket',
  'cat-chain',
  ['node-readline', { quick: true }],
  'node-child-inherits-stdin',
  'python-child-reads-stdin',
  'python-asyncio-stdin',
  'java-scanner',
  'go-stdin-channel',
  'rust-channel-stdin',
  'sqlite-prompt-pipe',
  'make-recipe-reads',
  'npm-run-reads',
  'mutex-owner-reads-stdin',
  'lock-holder-reads-stdin',
  'prompt-with-idle-connection',
  'vfork-child-stdin',
]);
