import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whySnapshot } from '../../src/control/why-snapshot.js';
import type { WhyAnswer } from '../../src/model/verdict.js';
import { parseSnapshot } from '../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../support/record-snapshot.js';

/**
 * The sentences that users see, in one place, so that a review shows every change of their wording. The help of the
 * commands is in test/cli/__snapshots__. `npx vitest run --project pure test/words -u` writes them anew.
 */

/** Numbers, addresses and names of a recording do not matter here. */
function generalized(sentence: string): string {
  return sentence
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/0x[0-9a-f]+/g, '0x…')
    .replace(/\/[\w./@:-]+/g, '/…')
    .replace(/\d[\d,.]*/g, 'N')
    .replace(/[\w.+-]+\(N\)/g, 'program(N)')
    .replace(
      /^([\w -]+: )[\w.-]+ (?=is |was |has |waits |sleeps |opens |cannot |computes|tries |watches |receives |uses |ended )/,
      '$1program ',
    )
    .replace(/N (?:d|h|min|s|ms)\b(?: N (?:d|h|min|s|ms)\b)*/g, 'N s');
}

function sentencesOf({ verdict, findings }: WhyAnswer): string[] {
  const { kind, reason, evidence, next } = verdict;
  return [
    `${kind}: ${reason}`,
    // What each thread is blocked in is put together from facts, not written.
    ...evidence.filter((line) => !line.includes(' blocked in ')).map((line) => `evidence: ${line}`),
    ...next.map((line) => `next: ${line}`),
    ...findings.map((finding) => `finding ${finding.kind}: ${finding.reason}`),
  ];
}

test('sentences of verdicts, from the recorded snapshots', async () => {
  const names = readdirSync(snapshotsDir).filter((name) => name.endsWith('.json'));
  const answers = names.map((name) =>
    whySnapshot(parseSnapshot(readFileSync(new URL(name, snapshotsDir), 'utf8'), name)),
  );
  const sentences = new Set(answers.flatMap(sentencesOf).map(generalized));
  await expect(`${[...sentences].sort().join('\n')}\n`).toMatchFileSnapshot('verdicts.txt');
});

/** The text between the brackets of `new Failure(…)`, on one line. */
function* failuresIn(source: string): Generator<string> {
  for (const { index } of source.matchAll(/\bnew Failure\(/g)) {
    const start = index + 'new Failure('.length;
    let depth = 1;
    let end = start;
    while (depth > 0 && end < source.length) {
      if (source[end] === '(') depth += 1;
      if (source[end] === ')') depth -= 1;
      end += 1;
    }
    yield source
      .slice(start, end - 1)
      .replace(/\s+/g, ' ')
      .replace(/,? $/, '')
      .trim();
  }
}

test('errors and their hints, as they are written in the source', async () => {
  const src = new URL('../../src/', import.meta.url);
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const failures = files.flatMap((file) => [...failuresIn(readFileSync(new URL(file, src), 'utf8'))]);
  expect(failures.length).toBeGreaterThan(50);
  await expect(`${[...new Set(failures)].sort().join('\n')}\n`).toMatchFileSnapshot('errors.txt');
});
