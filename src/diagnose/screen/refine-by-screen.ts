import { type Diagnosis, type Health, severities } from '../../model/run/health.js';
import type { ScreenClaim } from '../../model/run/screen-claim.js';
import { type Verdict, type VerdictKind, weaker } from '../../model/verdict.js';
import { formatDuration } from '../../text/duration.js';

/** Input that is on its way, or a program that has just asked, need not be reported. */
export const settledMs = 5000;

/** Painting a spinner does not cost more CPU than this. */
const paintingPercentMax = 20;

/** A process that is kept from running waits for no answer. */
const halted: ReadonlySet<VerdictKind> = new Set(['starved', 'stopped', 'frozen', 'zombie', 'deadlock']);

/** The verdict for a program that reads keys, but needs none to go on. */
const goesOn: Partial<Record<ScreenClaim['shows'], VerdictKind>> = {
  thinking: 'network',
  tool: 'working',
  lively: 'timer',
};

export function isBusy({ cpuPercent }: ScreenClaim): boolean {
  return cpuPercent > paintingPercentMax;
}

/**
 * Combines the kernel evidence with the screen. The text of a screen is not trusted: a wait for a person needs a
 * process that reads the terminal, a verdict that the kernel proves stays as it is, and nothing becomes certain.
 */
export function refineVerdict(verdict: Verdict, claim: ScreenClaim): Verdict {
  const evidence = [...verdict.evidence, screenEvidence(claim)];
  const isInput = verdict.kind === 'needs-input';
  if (verdict.certainty === 'certain') {
    const isQuestion = isInput && claim.shows === 'asks' && claim.text !== '';
    return isQuestion ? { ...verdict, reason: withQuotation(verdict.reason, claim), evidence } : verdict;
  }
  // A question whose text is not known adds nothing to the kernel evidence.
  const isMute = isInput && claim.shows === 'asks' && claim.text === '';
  const reason = isMute ? verdict.reason : screenWords(claim, verdict);
  const kind = goesOn[claim.shows];
  if (kind !== undefined) {
    if (!isInput || verdict.wayOut !== true) return verdict;
    return { ...verdict, kind, certainty: weaker(verdict.certainty, 'medium'), reason, evidence, next: [] };
  }
  if (verdict.readsTerminal !== true || halted.has(verdict.kind)) return verdict;
  if (isBusy(claim) || claim.forMs < settledMs) return verdict;
  // Where the kernel sees other waits beside the terminal, the screen decides between them.
  const certainty = isInput ? verdict.certainty : 'medium';
  return { ...verdict, kind: 'needs-input', certainty, reason, evidence };
}

/** That an agent prints is weaker evidence than its activity. */
function withActivity(diagnosis: Diagnosis, claim: ScreenClaim): Diagnosis {
  const isAgent = claim.shows === 'thinking' || claim.shows === 'tool';
  if (!isAgent || diagnosis.health !== 'healthy' || diagnosis.needsAnswer) return diagnosis;
  return { ...diagnosis, reason: screenWords(claim, { command: '' }) };
}

/** The same for a diagnosis over time. */
export function refineByScreen(diagnosis: Diagnosis, claim: ScreenClaim, canAnswer: boolean): Diagnosis {
  const { verdict: before, confidence, health } = diagnosis;
  const verdict = before === null ? null : refineVerdict(before, claim);
  if (before === null || verdict === null || verdict === before) return withActivity(diagnosis, claim);
  const { reason, evidence } = verdict;
  if (before.certainty === 'certain' || confidence === 'certain') {
    return { ...diagnosis, reason: withQuotation(diagnosis.reason, claim), verdict, evidence };
  }
  if (verdict.kind !== 'needs-input') {
    const words = diagnosis.needsAnswer ? { reason, evidence, recommendation: '' } : {};
    return { ...diagnosis, ...words, needsAnswer: false, verdict };
  }
  const isCalm = health === 'healthy' || health === 'suspicious';
  const refined: Health = canAnswer ? 'healthy' : isCalm ? 'likely-stuck' : health;
  return {
    ...diagnosis,
    health: refined,
    confidence: refined === health ? confidence : verdict.certainty,
    severity: severities[refined],
    reason,
    recommendation: verdict.next.join(', or ') || 'answer it',
    needsAnswer: canAnswer,
    verdict,
    evidence,
  };
}

const sentences: Record<ScreenClaim['shows'], (name: string, claim: ScreenClaim) => string> = {
  asks: (name, { text }) => (text === '' ? `${name} asks a question` : `${name} asks: "${text}"`),
  idle: (name) => `${name} is idle at its prompt`,
  thinking: (name, { forMs }) => `${name} waits for its model since ${formatDuration(forMs)}`,
  tool: (name) => `${name} runs a tool`,
  lively: (name) => `${name} redraws its screen by itself; it takes keys, but needs none`,
};

/** A sentence, with the text of the screen as a quotation. */
function screenWords(claim: ScreenClaim, { command }: Pick<Verdict, 'command'>): string {
  return sentences[claim.shows](claim.name ?? programOf(command), claim);
}

/** `dialog waits for a person to press a key: "Remove it?"`. */
function withQuotation(reason: string, { text }: ScreenClaim): string {
  return `${reason}: "${text}"`;
}

function screenEvidence({ shows, text, forMs }: ScreenClaim): string {
  const quoted = text === '' ? '' : ` "${text}"`;
  return `its screen shows: ${shows}${quoted}, the same for ${formatDuration(forMs)} apart from clocks`;
}

function programOf(command: string): string {
  const [first = ''] = command.split(' ', 1);
  return first.slice(first.lastIndexOf('/') + 1) || 'the command';
}
