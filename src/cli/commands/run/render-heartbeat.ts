import { type AgentFacts, shortCount } from '../../../model/run/agent.js';
import { estimateWords } from '../../../model/run/estimate.js';
import type { Heartbeat } from '../../../model/run/run.js';
import { formatDuration } from '../../../text/duration.js';
import { printable } from '../../../text/printable.js';

type AgentScreenFacts = NonNullable<AgentFacts['screen']>;

const lineChars = 60;
const programsMax = 6;

/** `00:01:00`; hours go on counting. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

const seconds = (ms: number) => `${Math.round(ms / 1000)}s`;

/** Cuts to this many whole characters. */
export function cut(text: string, chars: number): string {
  const all = [...text];
  return all.length <= chars ? text : `${all.slice(0, chars - 1).join('')}…`;
}

function programs({ programs: all }: Heartbeat): string {
  const shown = all.slice(0, programsMax).map(({ name, count }) => {
    const word = name.replace(/[\s,]+/g, '_');
    return count === 1 ? word : `${word} x${count}`;
  });
  return [...shown, ...(all.length > programsMax ? ['…'] : [])].join(',') || '-';
}

export function renderHeartbeat(beat: Heartbeat): string {
  const line = cut(beat.line, lineChars).replaceAll("'", '’');
  const fields = [
    `[heartbeat] ${beat.label} alive t+${clock(beat.elapsedMs)}`,
    `last-out=${beat.lastOutputMs === null ? 'none' : seconds(beat.lastOutputMs)}`,
    `line${beat.lineStream === 'stderr' ? '(stderr)' : ''}='${line}'`,
    `pid=${beat.pid}`,
    `procs=${programs(beat)}`,
    `cpu=${Math.round(beat.cpuPercent)}%`,
    `phase=${beat.phase ?? '-'}`,
    `state=${beat.health}`,
  ];
  for (const { name, forMs } of beat.stuckParts ?? [])
    fields.push(`stuck-part=${name.replace(/\s+/g, '_')}${forMs === null ? '' : `(${seconds(forMs)})`}`);
  if (beat.armInMs > 0) fields.push(`arm-in=${seconds(beat.armInMs)}`);
  if (beat.samePulses > 0) fields.push(`same=${Math.min(beat.same, beat.samePulses)}/${beat.samePulses}`);
  if (beat.progress !== null) {
    fields.push(`progress=${beat.progress.text.replaceAll(' ', '')}`);
  }
  fields.push(...estimateFields(beat));
  fields.push(...agentFields(beat));
  fields.push(`log=${beat.log ?? 'none'}`);
  return printable(fields.join(' '));
}

/** `usually=240s done=63% left=90s±20s`; only from progress: `eta=90s`. */
function estimateFields({ estimate, progress }: Heartbeat): string[] {
  const { usualMs = null, fraction = null, leftMs = null, errorMs = null } = estimate ?? {};
  if (usualMs === null) return progress?.etaMs == null ? [] : [`eta=${seconds(progress.etaMs)}`];
  const off = errorMs === null ? '' : `±${seconds(errorMs)}`;
  return [
    `usually=${seconds(usualMs)}`,
    ...(fraction === null ? [] : [`done=${Math.floor(fraction * 100)}%`]),
    ...(leftMs === null ? [] : [`left=${seconds(leftMs)}${off}`]),
  ];
}

/** `agent=claude turn=3 tool=Bash(42s) tokens=12k`. */
function agentFields({ agent }: Heartbeat): string[] {
  if (agent === undefined) return [];
  const { name, events, turn, tool, waits, tokens, result, permission, retries, screen } = agent;
  if (screen !== undefined) return [`agent=${name}`, screenField(screen)];
  const waiting = waits === null ? [] : [`waits=${waits.for}(${seconds(waits.forMs)})`];
  if (events === 0) return [...waiting, `agent=${name}`];
  const fields = [...waiting, `agent=${name}`, `turn=${turn}`];
  if (tool !== null) fields.push(`tool=${tool.name}(${seconds(tool.forMs)})`);
  if (tokens !== null) fields.push(`tokens=${shortCount(tokens)}`);
  if (retries > 0) fields.push(`retries=${retries}`);
  if (permission !== null) fields.push(`asks=${seconds(permission.agoMs)}`);
  if (result !== null) fields.push(`result=${result.ok ? 'ok' : 'failed'}(${seconds(result.agoMs)})`);
  return fields;
}

/** `asks="Do you want to proceed? (rm -rf build)"(12s)`, `waits=model(53s)`, `idle(4s)`. */
function screenField({ shows, text, forMs }: AgentScreenFacts): string {
  const time = `(${seconds(forMs)})`;
  if (shows === 'asks') return `asks="${cut(text, lineChars).replaceAll('"', '”')}"${time}`;
  return `${shows === 'thinking' ? 'waits=model' : shows}${time}`;
}

/** The same for a person. */
const screenParts: Record<AgentScreenFacts['shows'], (screen: AgentScreenFacts) => string> = {
  asks: ({ text }) => `asks: "${cut(text, lineChars)}"`,
  idle: () => 'is idle at its prompt',
  thinking: ({ forMs }) => `waits for its model ${formatDuration(forMs)}`,
  tool: () => 'runs a tool',
};

function agentParts({ agent }: Heartbeat): string[] {
  if (agent === undefined) return [];
  const { name, events, turn, tool, waits, tokens, result, permission, screen } = agent;
  if (screen !== undefined) return [`${name} ${screenParts[screen.shows](screen)}`];
  const parts = waits === null ? [] : [`waits for its model ${formatDuration(waits.forMs)}`];
  if (events === 0) return parts;
  parts.push(`${name} turn ${turn}`);
  if (tool !== null) parts.push(`${tool.name} ${formatDuration(tool.forMs)}`);
  if (tokens !== null) parts.push(`${shortCount(tokens)} tokens`);
  if (permission !== null) parts.push('asks for permission');
  if (result !== null) parts.push(result.ok ? 'has a result' : 'failed');
  return parts;
}

/** Where progress is shown, its share need not be. */
function statusEstimate({ estimate, progress }: Heartbeat): string {
  if (estimate === undefined) return progress?.etaMs == null ? '' : `${formatDuration(progress.etaMs)} left`;
  const isShown = progress !== null && estimate.from !== 'history';
  return estimateWords(isShown ? { ...estimate, fraction: null } : estimate);
}

/** One status line for a terminal. */
export function renderStatus(beat: Heartbeat, columns: number): string {
  const words = statusEstimate(beat);
  const parts = [
    beat.health,
    ...(beat.stuckParts ?? []).map(({ name, pid }) => `stuck: ${name}(${pid})`),
    clock(beat.elapsedMs),
    `${Math.round(beat.cpuPercent)}% CPU`,
    ...(beat.phase === null ? [] : [beat.phase]),
    ...(beat.progress === null ? [] : [beat.progress.text]),
    ...(words === '' ? [] : [words]),
    ...agentParts(beat),
    ...(beat.lastOutputMs !== null && beat.lastOutputMs > 10_000
      ? [`silent ${formatDuration(beat.lastOutputMs)}`]
      : []),
  ];
  const head = `${beat.label}: ${parts.join(' · ')}`;
  const line = beat.line === '' ? '' : ` │ ${beat.line}`;
  return cut(printable(`${head}${line}`), Math.max(10, columns - 1));
}
