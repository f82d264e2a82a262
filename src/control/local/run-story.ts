import fs from 'node:fs';
import path from 'node:path';
import { valueOr } from '../../model/facts/reading.js';
import { Failure } from '../../model/failure.js';
import type { RunEvent, RunReport } from '../../model/run/run.js';
import type { RunStory } from '../../model/web.js';
import { readOwnFile } from '../../store/files.js';
import { RunDirectory } from '../../store/run-directory.js';

const eventBytesMax = 4 * 1024 * 1024;
const eventsMax = 2000;
const textBytesMax = 512 * 1024;
/** `evidence` and `part-4380`: what was kept before a stop. */
const evidenceFolder = /^(?:evidence|part-\d+)$/;

/** What was written down about a run: its events, its report, and the evidence. */
export function readStory(directory: string): RunStory {
  const run = new RunDirectory(path.dirname(directory), path.basename(directory));
  const report = valueOr(run.readJson('report.json'), null) as RunReport | null;
  return { events: readEvents(run.file('events.jsonl')), report, files: evidenceOf(directory) };
}

/** The text of one file of the story, cut to a limit. */
export function readStoryFile(directory: string, name: string): { text: string; cut: boolean } {
  const file = evidenceOf(directory).find((one) => one.name === name);
  if (file === undefined) throw new Failure('bad-input', 'no such evidence', 'reload the page of the run');
  const text = readOwnFile(path.join(directory, name), 0, textBytesMax).toString('utf8');
  return { text, cut: file.bytes > textBytesMax };
}

function readEvents(file: string): RunEvent[] {
  try {
    const { size } = fs.statSync(file);
    const text = readOwnFile(file, Math.max(0, size - eventBytesMax), size).toString('utf8');
    return text.split('\n').slice(-eventsMax).flatMap(parseEvent);
  } catch {
    return [];
  }
}

/** The first line may be cut, and the last one be written just now. */
function parseEvent(line: string): RunEvent[] {
  try {
    const event = JSON.parse(line);
    return typeof event?.kind === 'string' && typeof event.at === 'string' ? [event] : [];
  } catch {
    return [];
  }
}

function evidenceOf(directory: string): RunStory['files'] {
  const list = (dir: string) => fs.readdirSync(dir, { withFileTypes: true });
  try {
    return list(directory)
      .filter((entry) => entry.isDirectory() && evidenceFolder.test(entry.name))
      .flatMap((folder) =>
        list(path.join(directory, folder.name))
          .filter((entry) => entry.isFile())
          .map((entry) => path.join(folder.name, entry.name)),
      )
      .map((name) => ({ name, bytes: fs.statSync(path.join(directory, name)).size }));
  } catch {
    return [];
  }
}
