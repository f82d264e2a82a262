import { type AgentFacts, agentWaitWords } from '../../model/run/agent.js';
import { type Diagnosis, type Health, healths, severities } from '../../model/run/health.js';
import { type Certainty, type Verdict, type VerdictKind, weaker } from '../../model/verdict.js';
import { agentProfiles } from './profiles.js';
import { type AgentFinding, findingWords, streamEvidence, type TreeClues } from './words.js';

export interface AgentPatience {
  /** How long nothing is reported after a result, or without a result while the agent sleeps. */
  patienceMs: number;
  /** The time that its model may take to answer. */
  modelPatienceMs: number;
  /** A user could answer. */
  canAnswer: boolean;
}

/** What snapshots of the tree show beside the stream. */
export interface AgentSeen extends TreeClues {
  /** Its tools are gone, and their results have not come. */
  isLost: boolean;
}

const nothingSeen: AgentSeen = { isLost: false, model: 'connected', hook: null };

/** A program that drives an agent may answer by itself, and does so at once. */
const promptMs = 5000;
/** This many retries in a row are more than a hiccup. */
const retriesMin = 5;

/** A process that runs, or is kept from running by others, does not linger. */
const atWork: ReadonlySet<VerdictKind> = new Set(['working', 'starved', 'stopped', 'frozen', 'zombie']);
/** Waits that may end by themselves: they are no fault yet. */
const passing: ReadonlySet<VerdictKind> = new Set(['timer', 'lock']);

/** Waits that nothing inside the tree can end. */
const still: ReadonlySet<VerdictKind> = new Set(['asleep', 'deadlock']);

interface Finding {
  name: AgentFinding;
  kind: VerdictKind;
  health: Health;
  /** Never certain: only the kernel's evidence is proof. */
  certainty: Exclude<Certainty, 'certain'>;
  needsAnswer: boolean;
}

/**
 * Combines the kernel evidence with the stream of the agent. The stream alone makes no verdict certain and no verdict
 * better. A verdict that the kernel proves stays proven, and its report uses both sources.
 */
export function refineDiagnosis(
  diagnosis: Diagnosis,
  facts: AgentFacts,
  patience: AgentPatience,
  seen: AgentSeen = nothingSeen,
): Diagnosis {
  if (facts.events === 0 && facts.waits === null) return diagnosis;
  const finding = findingOf(diagnosis, facts, patience, seen);
  const evidence = [streamEvidence(facts), ...diagnosis.evidence];
  if (finding === null) {
    const waiting = agentWaitWords(facts);
    const explained = waiting === null ? diagnosis : { ...diagnosis, reason: waiting };
    return diagnosis.health === 'healthy' ? explained : { ...explained, evidence };
  }
  const words = findingWords[finding.name];
  const reason = words.reason(facts, diagnosis.verdict?.reason ?? '', seen);
  const next = words.next(agentProfiles[facts.name], diagnosis.verdict, seen);
  const isWorse = healths.indexOf(finding.health) > healths.indexOf(diagnosis.health);
  const health = isWorse ? finding.health : diagnosis.health;
  return {
    ...diagnosis,
    health,
    confidence: isWorse ? finding.certainty : diagnosis.confidence,
    severity: severities[health],
    reason,
    recommendation: next.join(', or '),
    needsAnswer: diagnosis.needsAnswer || finding.needsAnswer,
    verdict: verdictOf(diagnosis, finding, { reason, evidence, next }),
    evidence,
  };
}

/** How long the stream has shown what a report is due for, and after how long it is due. */
function waitOf(
  { permission, result, lastEvent }: AgentFacts,
  patienceMs: number,
): { agoMs: number; limitMs: number } {
  if (permission !== null) return { agoMs: permission.agoMs, limitMs: Math.min(promptMs, patienceMs) };
  return { agoMs: (result ?? lastEvent ?? { agoMs: 0 }).agoMs, limitMs: patienceMs };
}

/**
 * How long ago a snapshot was due that may lead to a report; null: none yet. One snapshot may show a busy moment, so
 * another is due each time the wait has doubled.
 */
export function dueAgoMs(facts: AgentFacts, patienceMs: number): number | null {
  const { agoMs, limitMs } = waitOf(facts, patienceMs);
  if (agoMs < limitMs) return null;
  const firstMs = Math.max(1, limitMs);
  return agoMs - firstMs * 2 ** Math.floor(Math.log2(Math.max(1, agoMs / firstMs)));
}

function findingOf(
  diagnosis: Diagnosis,
  facts: AgentFacts,
  patience: AgentPatience,
  seen: AgentSeen,
): Finding | null {
  const { verdict, numbers, confidence } = diagnosis;
  if (facts.retries >= retriesMin) return retrying(verdict);
  if (facts.waits !== null) return facts.waits.forMs > patience.modelPatienceMs ? unanswered(verdict) : null;
  // Without a snapshot of the tree nothing is reported.
  if (verdict === null || atWork.has(verdict.kind)) return null;
  // A verdict that is certain needs no patience.
  const patienceMs = confidence === 'certain' ? 0 : patience.patienceMs;
  const { agoMs, limitMs } = waitOf(facts, patienceMs);
  if (agoMs < limitMs) return null;
  if (facts.permission !== null) return asking(verdict, patience);
  // After an agent has ended, a script may go on with something else.
  if (facts.result !== null) return numbers.silentMs < patienceMs ? null : lingering(verdict, facts, seen);
  if (seen.isLost) return lost(verdict, facts, seen);
  return still.has(verdict.kind) ? asleep(verdict) : null;
}

function asleep({ kind, certainty: seen }: Verdict): Finding {
  const certainty = uncertain(seen, 'high');
  return { name: 'asleep', kind, health: healthFor(certainty), certainty, needsAnswer: false };
}

/** Tools in the background were started before the result, but their time is not known exactly. */
function lingering(verdict: Verdict, { toolsInBackground }: AgentFacts, { hook }: AgentSeen): Finding {
  const isHook = hook !== null && toolsInBackground === 0;
  const kind = isHook ? hook.kind : verdict.kind;
  const certainty = passing.has(kind) || atWork.has(kind) ? 'low' : uncertain(verdict.certainty, 'medium');
  return {
    name: isHook ? 'hook' : 'lingering',
    kind: 'lingering',
    health: healthFor(certainty),
    certainty,
    needsAnswer: false,
  };
}

/** An answer that goes on slowly, or a tool that is shown late, may still explain it. */
function lost({ kind, certainty: seen }: Verdict, { tool }: AgentFacts, { model }: AgentSeen): Finding {
  const isDoubtful = tool === null || model !== 'none';
  const certainty = still.has(kind) ? uncertain(seen, 'high') : isDoubtful ? 'low' : 'medium';
  return { name: 'lost', kind, health: healthFor(certainty), certainty, needsAnswer: false };
}

function asking(verdict: Verdict, { canAnswer }: AgentPatience): Finding {
  const isSeen = verdict.kind === 'needs-input';
  const certainty = isSeen ? uncertain(verdict.certainty, 'high') : 'medium';
  const health = canAnswer ? 'healthy' : healthFor(certainty);
  return { name: 'asking', kind: 'needs-input', health, certainty, needsAnswer: canAnswer };
}

/** The model has been silent for longer than any network may be. */
function unanswered(verdict: Verdict | null): Finding {
  const kind = verdict?.kind ?? 'unknown';
  return { name: 'unanswered', kind, health: 'likely-stuck', certainty: 'medium', needsAnswer: false };
}

/** The agent prints, and will give up by itself: this is worth knowing, but not a fault. */
function retrying(verdict: Verdict | null): Finding {
  const kind = verdict?.kind ?? 'unknown';
  return { name: 'retrying', kind, health: 'suspicious', certainty: 'low', needsAnswer: false };
}

function uncertain(seen: Certainty, most: Finding['certainty']): Finding['certainty'] {
  const certainty = weaker(seen, most);
  return certainty === 'certain' ? most : certainty;
}

function healthFor(certainty: Finding['certainty']): Health {
  return certainty === 'low' ? 'suspicious' : 'likely-stuck';
}

/** A proven verdict keeps its kind and its certainty: only its text becomes richer. */
function verdictOf(
  { verdict, confidence }: Diagnosis,
  { kind, certainty }: Finding,
  words: Pick<Verdict, 'reason' | 'evidence' | 'next'>,
): Verdict | null {
  if (verdict === null) return null;
  return confidence === 'certain' ? { ...verdict, ...words } : { ...verdict, ...words, kind, certainty };
}
