import { shortCount } from '../model/agent.js';
import { formatDuration } from '../model/duration.js';
import { printable } from '../model/printable.js';
import type { Heartbeat } from '../model/run.js';

const lineChars = 60;
const programsMax = 6;

/** `00:01:00`; hours go on counting. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

const seconds = (ms: number) => `${Math.round(ms / 1000)}s`;

/** At most so many characters, whole ones. */
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

/** B2, word for word. */
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
    if (beat.progress.etaMs !== null) fields.push(`eta=${seconds(beat.progress.etaMs)}`);
  }
  fields.push(...agentFields(beat));
  fields.push(`log=${beat.log ?? 'none'}`);
  return printable(fields.join(' '));
}

/** C7: `agent=claude turn=3 tool=Bash(42s) tokens=12k`. */
function agentFields({ agent }: Heartbeat): string[] {
  if (agent === undefined) return [];
  const { name, events, turn, tool, waits, tokens, result, permission, retries } = agent;
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

function agentParts({ agent }: Heartbeat): string[] {
  if (agent === undefined) return [];
  const { name, events, turn, tool, waits, tokens, result, permission } = agent;
  const parts = waits === null ? [] : [`waits for its model ${formatDuration(waits.forMs)}`];
  if (events === 0) return parts;
  parts.push(`${name} turn ${turn}`);
  if (tool !== null) parts.push(`${tool.name} ${formatDuration(tool.forMs)}`);
  if (tokens !== null) parts.push(`${shortCount(tokens)} tokens`);
  if (permission !== null) parts.push('asks for permission');
  if (result !== null) parts.push(result.ok ? 'result is there' : 'failed');
  return parts;
}

/** One line for a person at a terminal: B13. */
export function renderStatus(beat: Heartbeat, columns: number): string {
  const parts = [
    beat.health,
    ...(beat.stuckParts ?? []).map(({ name, pid }) => `stuck: ${name}(${pid})`),
    clock(beat.elapsedMs),
    `${Math.round(beat.cpuPercent)}% CPU`,
    ...(beat.phase === null ? [] : [beat.phase]),
    ...(beat.progress === null ? [] : [beat.progress.text]),
    ...(beat.progress?.etaMs == null ? [] : [`${formatDuration(beat.progress.etaMs)} left`]),
    ...agentParts(beat),
    ...(beat.lastOutputMs !== null && beat.lastOutputMs > 10_000
      ? [`silent ${formatDuration(beat.lastOutputMs)}`]
      : []),
  ];
  const head = `${beat.label}: ${parts.join(' · ')}`;
  const line = beat.line === '' ? '' : ` │ ${beat.line}`;
  return cut(printable(`${head}${line}`), Math.max(10, columns - 1));
}
