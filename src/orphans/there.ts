import type { Orphan, OrphanRun } from '../model/orphan.js';
import { cutBeforeRedact, redact } from '../redact/redact.js';
import { printable } from '../text/printable.js';
import { reasonOf } from './words.js';

/** What this machine knows of a run that it started in a place; null: nothing. */
export type KnownRun = { isOver: boolean; about: OrphanRun } | null;

const wordsMax = 300;

/**
 * Which of the marked processes of a place outlived their run. `lines`: the answer of the place. The files of a run there
 * prove its end, and so does its report here. A run of which nothing is left proves nothing; what it left is suspected.
 */
export function orphansThere(lines: readonly string[], known: (id: string) => KnownRun): Orphan[] {
  const fates = new Map<string, string>();
  const texts = new Map<string, string>();
  for (const line of lines) {
    const [, word = '', first = '', rest = ''] = /^(run|cwd|command) (\S+) ?(.*)$/.exec(line) ?? [];
    if (word === 'run') fates.set(first, rest);
    else texts.set(`${word} ${first}`, rest);
  }
  return lines.flatMap((line): Orphan[] => {
    const [, pid = '', startTicks, id = '', memoryKb, ageS] =
      /^process (\d{1,10}) (\d{1,15}) (run_[0-9a-f]{1,32}) (\d{1,12}) (-?\d{1,12})$/.exec(line) ?? [];
    if (startTicks === undefined) return [];
    const here = known(id);
    const classification = classify(fates.get(id), here);
    if (classification === null) return [];
    const run = here?.about ?? { ...nothingKnown, id };
    const evidence = ['run-id' as const];
    const state = fates.get(id) === 'over' || here !== null ? 'over' : 'gone';
    return [
      {
        pid: Number(pid),
        startTicks: Number(startTicks),
        command: shown(texts.get(`command ${pid}`) ?? '') || `process ${pid}`,
        cwd: shown(texts.get(`cwd ${pid}`) ?? '') || null,
        ageMs: Math.max(0, Number(ageS)) * 1000,
        residentBytes: Number(memoryKb) * 1024,
        ports: [],
        classification,
        evidence,
        reason: reasonOf({ evidence, parent: null, pattern: null }, run, state),
        run,
      },
    ];
  });
}

const nothingKnown = { label: null, command: null, cwd: null, owner: null, startedAt: null };

/** null: it is not an orphan, or belongs to another state home. */
function classify(fate: string | undefined, here: KnownRun): Orphan['classification'] | null {
  if (fate === 'over') return 'confirmed';
  if (fate !== 'none' && fate !== 'other') return null;
  if (here !== null) return here.isOver ? 'confirmed' : null;
  return fate === 'none' ? 'suspected' : null;
}

function shown(text: string): string {
  return printable(redact(cutBeforeRedact(text.trim(), wordsMax)));
}
