import type { Hello } from '../control/client/protocol.js';
import { runStatuses } from '../model/background.js';
import { healths } from '../model/health.js';
import { noticeKinds } from '../model/notice.js';
import type { Registry } from '../supervise/background/registry.js';

/** What Prometheus calls its text format. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** Measured numbers of one name. A counter only grows, and begins at 0 with the daemon. */
interface Family {
  name: string;
  type: 'gauge' | 'counter';
  help: string;
  /** Of one label, each of its values with its number; or one number. */
  values: number | { label: string; byValue: Record<string, number> };
}

type Figures = Pick<Registry, 'select' | 'setAside' | 'orphans' | 'figures'>;

/** How the daemon and its runs are, for Prometheus. No command, label or path: who may scrape need not know those. */
export function renderMetrics(registry: Figures, hello: Pick<Hello, 'version' | 'startedAt'>): string {
  const families = [
    ...daemonFamilies(hello),
    ...runFamilies(registry),
    ...noticeFamilies(registry),
    ...orphanFamilies(registry),
  ];
  return families.map(renderFamily).join('');
}

/** The first three have the names that every exporter uses. */
function daemonFamilies({ version, startedAt }: Pick<Hello, 'version' | 'startedAt'>): Family[] {
  const { user, system } = process.cpuUsage();
  return [
    counter('process_cpu_seconds_total', 'CPU time of the daemon.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Memory of the daemon.', process.memoryUsage.rss()),
    gauge('process_start_time_seconds', 'When the daemon began.', Date.parse(startedAt) / 1000),
    gauge('unstuck_info', 'Which Unstuck this is.', { label: 'version', byValue: { [version]: 1 } }),
  ];
}

function runFamilies(registry: Figures): Family[] {
  const { setAside, figures } = registry;
  const runs = registry.select({});
  const running = runs.filter(({ status }) => status === 'running');
  return [
    gauge('unstuck_runs', 'Runs in the background, live and ended.', {
      label: 'status',
      byValue: countEach(
        runStatuses,
        runs.map(({ status }) => status),
      ),
    }),
    gauge('unstuck_runs_health', 'Health of the runs that have not ended.', {
      label: 'health',
      byValue: countEach(
        healths,
        running.flatMap(({ state }) => state.health ?? []),
      ),
    }),
    gauge('unstuck_runs_set_aside', 'Directories of runs that cannot be read.', setAside.length),
    counter('unstuck_looks_total', 'Deep looks at runs: snapshots of their trees.', figures.looks.taken),
    counter(
      'unstuck_look_cpu_seconds_total',
      'CPU time of deep looks at runs.',
      figures.looks.spentMs / 1000,
    ),
  ];
}

function noticeFamilies({ figures: { notices, pending } }: Figures): Family[] {
  const told = noticeKinds.map((kind) => [kind, notices.told[kind] ?? 0]);
  return [
    counter('unstuck_notices_total', 'Notices that were told.', {
      label: 'kind',
      byValue: Object.fromEntries(told),
    }),
    counter(
      'unstuck_notices_suppressed_total',
      'Notices held back because there were too many.',
      notices.suppressed,
    ),
    counter(
      'unstuck_matches_held_back_total',
      'Matches that had to wait for the next notice.',
      notices.matchesHeldBack,
    ),
    gauge('unstuck_deliveries_pending', 'Notices that a command or webhook has not got yet.', pending),
  ];
}

function orphanFamilies({ orphans: { found, statistics } }: Figures): Family[] {
  const { watching, lastCheckAt, detected, killed } = statistics;
  const checkedS = lastCheckAt === null ? 0 : Date.parse(lastCheckAt) / 1000;
  return [
    gauge('unstuck_orphan_watch', 'Whether orphans are looked for.', watching ? 1 : 0),
    gauge('unstuck_orphan_check_time_seconds', 'When orphans were looked for last; 0: never.', checkedS),
    gauge('unstuck_orphans', 'Orphans at the last look.', found.length),
    counter('unstuck_orphans_detected_total', 'Orphans that were found.', detected),
    counter('unstuck_orphans_killed_total', 'Orphans that were stopped.', killed),
  ];
}

const gauge = (name: string, help: string, values: Family['values']): Family => ({
  name,
  type: 'gauge',
  help,
  values,
});
const counter = (name: string, help: string, values: Family['values']): Family => ({
  name,
  type: 'counter',
  help,
  values,
});

/** Those that do not occur have a 0: a graph without a gap. */
function countEach(all: readonly string[], occurring: readonly string[]): Record<string, number> {
  const counts = Object.fromEntries(all.map((value) => [value, 0]));
  for (const value of occurring) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function renderFamily({ name, type, help, values }: Family): string {
  const samples =
    typeof values === 'number'
      ? [`${name} ${values}`]
      : Object.entries(values.byValue).map(
          ([value, number]) => `${name}{${values.label}="${escapeLabel(value)}"} ${number}`,
        );
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples, ''].join('\n');
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
