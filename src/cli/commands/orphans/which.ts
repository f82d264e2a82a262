import path from 'node:path';
import type { FindOrphansOptions, SetAside } from '../../../control/orphans/orphans.js';
import { Failure } from '../../../model/failure.js';
import { printable } from '../../../text/printable.js';
import { note } from '../../output/print.js';
import { readDuration } from '../../shared/read-duration.js';

/** Flags that select orphans. */
export interface WhichFlags {
  olderThan?: string | undefined;
  pattern?: string[] | undefined;
  dir?: string | undefined;
  on?: string | undefined;
}

/** An unreadable record is reported; the other runs are read all the same. */
export function noteSetAside({ directory, reason }: SetAside): void {
  note(printable(`cannot read ${directory}: ${reason}`));
}

const ageMsMax = 366 * 86_400_000;

export function readWhich({ olderThan, pattern = [], dir, on }: WhichFlags): FindOrphansOptions {
  if (pattern.some((text) => text.trim() === '')) {
    throw new Failure(
      'bad-input',
      '--pattern is empty and would match every command',
      'give a part of a command, such as --pattern storybook',
    );
  }
  if (on !== undefined && (pattern.length > 0 || dir !== undefined)) {
    throw new Failure(
      'bad-input',
      '--pattern and --dir are for this machine',
      'leave them out: with --on, processes are found by the mark of their run',
    );
  }
  return {
    ...(on !== undefined && { on }),
    ...(olderThan !== undefined && { olderThanMs: readDuration('--older-than', olderThan, 0, ageMsMax) }),
    ...(pattern.length > 0 && { patterns: pattern }),
    ...(dir !== undefined && { projectDir: path.resolve(dir) }),
  };
}
