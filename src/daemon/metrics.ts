import type { Hello } from '../control/client/protocol.js';
import { noticeKinds } from '../model/notice.js';
import { runStatuses } from '../model/run/background.js';
import { healths } from '../model/run/health.js';
import type { Registry } from '../registry/registry.js';

/** Content type of the Prometheus text format. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** A metric family. A counter only grows, from 0 at the start of the daemon. */
interface Family {
  name: string;
  type: 'gauge' | 'counter';
  help: string;
  /** One number, or one number per value of a label. */
  values: number | { label: string; byValue: Record<string, number> };
}

type Figures = Pick<Registry, 'select' | 'setAside' | 'orphans' | 'figures'>;

/** State of the daemon and its runs for Prometheus. No command, label or path: a scraper need not know those. */
export function renderMetrics(registry: Figures, hello: Pick<Hello, 'version' | 'startedAt'>): string {
  const families = [
    ...daemonFamilies(hello),
    ...runFamilies(registry),
    ...noticeFamilies(registry),
    ...orphanFamilies(registry),
  ];
  return families.map(renderFamily).join('');
}

/** The first three have standard exporter names. */
function daemonFamilies({ version, startedAt }: Pick<Hello, 'version' | 'startedAt'>): Family[] {
  const { user, system } = process.cpuUsage();
  return [
    counter('process_cpu_seconds_total', 'CPU time of the daemon.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Memory of the daemon.', process.memoryUsage.rss()),
    gauge('process_start_time_seconds', 'Start time of the daemon.', Date.parse(startedAt) / 1000),
    gauge('unstuck_info', 'Version of Unstuck.', { label: 'version', byValue: { [version]: 1 } }),
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
    gauge('unstuck_runs_set_aside', 'Run directories that cannot be read.', setAside.length),
    counter('unstuck_looks_total', 'Snapshots taken of runs.', figures.snapshots.taken),
    counter(
      'unstuck_look_cpu_seconds_total',
      'CPU time spent on snapshots of runs.',
      figures.snapshots.spentMs / 1000,
    ),
  ];
}

function noticeFamilies({ figures: { notices, pending } }: Figures): Family[] {
  const issued = noticeKinds.map((kind) => [kind, notices.issued[kind] ?? 0]);
  return [
    counter('unstuck_notices_total', 'Notices issued.', {
      label: 'kind',
      byValue: Object.fromEntries(issued),
    }),
    counter(
      'unstuck_notices_suppressed_total',
      'Notices held back because there were too many.',
      notices.suppressed,
    ),
    counter(
      'unstuck_matches_held_back_total',
      'Matches delayed until the next notice.',
      notices.matchesHeldBack,
    ),
    gauge('unstuck_deliveries_pending', 'Notices not yet delivered to a command or webhook.', pending),
  ];
}

function orphanFamilies({ orphans: { found, statistics } }: Figures): Family[] {
  const { watching, lastCheckAt, detected, killed } = statistics;
  const checkedS = lastCheckAt === null ? 0 : Date.parse(lastCheckAt) / 1000;
  return [
    gauge('unstuck_orphan_watch', 'Whether the watch for orphans is on.', watching ? 1 : 0),
    gauge('unstuck_orphan_check_time_seconds', 'Time of the last check for orphans; 0: never.', checkedS),
    gauge('unstuck_orphans', 'Orphans at the last check.', found.length),
    counter('unstuck_orphans_detected_total', 'Orphans found.', detected),
    counter('unstuck_orphans_killed_total', 'Orphans stopped.', killed),
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

/** Values that do not occur are 0, so graphs have no gaps. */
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
