import fs from 'node:fs';
import { troubleRank } from '../../diagnose/health/earlier.js';
import { valueOr } from '../../model/facts/reading.js';
import { type Diagnosis, healths } from '../../model/run/health.js';
import { certainties } from '../../model/verdict.js';
import type { RunDirectory } from '../../store/run-directory.js';

const fileName = 'trouble.json';

/** The last trouble of a run, kept with it: the next daemon does not call the run healthy before it has judged it. */
export class KeptTrouble {
  readonly #directory: RunDirectory;
  #earlier: { found: Diagnosis | null } | null = null;
  #noted: Diagnosis | null = null;
  /** What is in the file, in short; null: there is no file. */
  #kept: string | null = null;

  constructor(directory: RunDirectory) {
    this.#directory = directory;
  }

  /** As an earlier daemon left it; null: there was none. Read when it is first needed. */
  get earlier(): Diagnosis | null {
    if (this.#earlier === null) {
      const found = diagnosisIn(valueOr(this.#directory.readJson(fileName), null));
      this.#earlier = { found };
      this.#kept = found === null ? null : inShort(found);
    }
    return this.#earlier.found;
  }

  /** May be called often: only a change is written. */
  note(diagnosis: Diagnosis): void {
    if (diagnosis === this.#noted || diagnosis === this.earlier) return;
    this.#noted = diagnosis;
    if (troubleRank(diagnosis) === 0) this.forget();
    else this.#write(diagnosis);
  }

  forget(): void {
    if (this.#kept === null) return;
    this.#kept = null;
    fs.rmSync(this.#directory.file(fileName), { force: true });
  }

  #write(diagnosis: Diagnosis): void {
    const short = inShort(diagnosis);
    if (short === this.#kept || !this.#directory.exists) return;
    try {
      this.#directory.writeWhole(fileName, diagnosis);
      this.#kept = short;
    } catch {
      // The disk is full. It is tried again with the next diagnosis.
    }
  }
}

function inShort({ health, confidence, needsAnswer, verdict, findings }: Diagnosis): string {
  const parts = findings.map(({ kind, root }) => `${kind} ${root.pid}`);
  return [health, confidence, needsAnswer, verdict?.kind, verdict?.pid, ...parts].join(',');
}

/** null: it is missing, or no diagnosis of a trouble. */
function diagnosisIn(value: unknown): Diagnosis | null {
  const found = (value ?? {}) as Diagnosis;
  const { verdict, findings, evidence, numbers, reason, recommendation } = found;
  const isWhole =
    healths.includes(found.health) &&
    certainties.includes(found.confidence) &&
    typeof found.needsAnswer === 'boolean' &&
    [reason, recommendation].every((text) => typeof text === 'string') &&
    [findings, evidence].every(Array.isArray) &&
    (verdict === null || typeof verdict?.kind === 'string') &&
    typeof numbers === 'object';
  return isWhole && troubleRank(found) > 0 ? found : null;
}
