import fs from 'node:fs';
import path from 'node:path';
import type { OperationInput } from '../../../control/operations/table.js';
import { Failure } from '../../../model/failure.js';
import { type NoticeEvent, noticeEvents } from '../../../model/notice.js';
import { readDuration } from '../../shared/read-duration.js';

/** Flags of `start` about notices. */
export interface WishFlags {
  notify?: true | undefined;
  notifyOn?: string | undefined;
  watch?: string[] | undefined;
  notifyEvery?: string | undefined;
  onNotice?: string | undefined;
  webhook?: string | undefined;
  webhookSecretFile?: string | undefined;
}

type Wishes = NonNullable<OperationInput<'start'>['notify']>;

const everyMsMin = 1000;
const everyMsMax = 86_400_000;

const bad = (message: string, hint: string) => new Failure('bad-input', message, hint);

function readEvents(text: string): NoticeEvent[] {
  return text.split(',').map((word) => {
    const name = word.trim();
    const found = noticeEvents.find((event) => event === name);
    if (found !== undefined) return found;
    throw bad(
      `--notify-on is ${JSON.stringify(text)}, and ${JSON.stringify(name)} is not one of ${noticeEvents.join(', ')}`,
      'write them with commas: --notify-on exit,needs-input',
    );
  });
}

function checkPatterns(patterns: readonly string[]): void {
  const empty = patterns.findIndex((pattern) => pattern === '' || /^\/\/[a-z]*$/.test(pattern));
  if (empty === -1) return;
  throw bad(
    `--watch number ${empty + 1} is empty: every line would match`,
    `give a text or a pattern: --watch 'ready in', or --watch '/error|panic/i'`,
  );
}

/** Absolute, because the daemon reads it later from another directory. */
function readSecretFile(text: string, cwd: string): string {
  const file = path.resolve(cwd, text);
  try {
    fs.accessSync(file, fs.constants.R_OK);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code;
    throw new Failure(
      'cannot-read',
      `--webhook-secret-file: cannot read ${file} (${why})`,
      'give a file with the shared secret that only you can read',
      { cause },
    );
  }
  return file;
}

function readWebhook(flags: WishFlags, cwd: string): Wishes['webhook'] {
  const { webhook: url, webhookSecretFile: secretFile } = flags;
  if (url === undefined) {
    if (secretFile === undefined) return undefined;
    throw bad('--webhook-secret-file needs --webhook', 'add the URL: --webhook https://…');
  }
  return { url, ...(secretFile !== undefined && { secretFile: readSecretFile(secretFile, cwd) }) };
}

/** undefined: no notices requested. */
export function readWishes(flags: WishFlags, cwd: string): Wishes | undefined {
  const { notifyOn, watch: patterns = [], notifyEvery, onNotice: command } = flags;
  checkPatterns(patterns);
  if (command?.trim() === '') {
    throw bad('--on-notice has no command', `give a command: --on-notice 'jq -r .text >> notices.txt'`);
  }
  const webhook = readWebhook(flags, cwd);
  const events = new Set<NoticeEvent>([
    ...(flags.notify ? ['exit' as const] : []),
    ...(notifyOn === undefined ? [] : readEvents(notifyOn)),
  ]);
  const everyS =
    notifyEvery === undefined
      ? 0
      : readDuration('--notify-every', notifyEvery, everyMsMin, everyMsMax) / 1000;
  const hasTarget = command !== undefined || webhook !== undefined;
  const hasEvents = events.size > 0 || patterns.length > 0 || everyS > 0;
  if (!hasEvents && !hasTarget) return undefined;
  // With a target and no event, the end of the run is reported.
  if (!hasEvents) events.add('exit');
  return {
    events: [...events],
    patterns,
    everyS,
    ...(command !== undefined && { command }),
    ...(webhook !== undefined && { webhook }),
  };
}
