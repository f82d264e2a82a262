import fs from 'node:fs';
import path from 'node:path';
import type { OperationInput } from '../../control/operations/table.js';
import { Failure } from '../../model/failure.js';
import { type NoticeEvent, noticeEvents } from '../../model/notice.js';
import { readDuration } from '../read-duration.js';

/** What `start` is told about notices (E1 to E8). */
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
    `say what to look for: --watch 'ready in', or --watch '/error|panic/i'`,
  );
}

/** The daemon reads it later, and from another directory. */
function readSecretFile(text: string, cwd: string): string {
  const file = path.resolve(cwd, text);
  try {
    fs.accessSync(file, fs.constants.R_OK);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code;
    throw new Failure(
      'cannot-read',
      `--webhook-secret-file: ${file} cannot be read (${why})`,
      'name a file that only you can read, with the shared secret in it',
      { cause },
    );
  }
  return file;
}

function readWebhook(flags: WishFlags, cwd: string): Wishes['webhook'] {
  const { webhook: url, webhookSecretFile: secretFile } = flags;
  if (url === undefined) {
    if (secretFile === undefined) return undefined;
    throw bad('--webhook-secret-file without --webhook', 'say where to send it: --webhook https://…');
  }
  return { url, ...(secretFile !== undefined && { secretFile: readSecretFile(secretFile, cwd) }) };
}

/** undefined: nothing was asked for. */
export function readWishes(flags: WishFlags, cwd: string): Wishes | undefined {
  const { notifyOn, watch: patterns = [], notifyEvery, onNotice: command } = flags;
  checkPatterns(patterns);
  if (command?.trim() === '') {
    throw bad('--on-notice has no command', `name one: --on-notice 'jq -r .text >> notices.txt'`);
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
  const isTold = command !== undefined || webhook !== undefined;
  const tells = events.size > 0 || patterns.length > 0 || everyS > 0;
  if (!tells && !isTold) return undefined;
  // Whoever says only where to tell it means its end.
  if (!tells) events.add('exit');
  return {
    events: [...events],
    patterns,
    everyS,
    ...(command !== undefined && { command }),
    ...(webhook !== undefined && { webhook }),
  };
}
