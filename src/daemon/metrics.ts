import type { Hello } from '../control/client/protocol.js';
import { noticeKinds } from '../model/notice.js';
import { runStatuses } from '../model/run/background.js';
import { healths } from '../model/run/health.js';
import { durationBoundsS } from '../registry/lifecycle-figures.js';
import type { Registry } from '../registry/registry.js';

/** A metric family. A counter only grows, from 0 at the start of the daemon. */
interface Family {
  name: string;
  type: 'gauge' | 'counter' | 'histogram';
  help: string;
  values: number | Labelled | Histogram;
}

/** One number per value of a label. */
interface Labelled {
  label: string;
  byValue: Record<string, number>;
}

/** `counts` has one number per bound, and one for what is above all. */
interface Histogram {
  bounds: readonly number[];
  counts: readonly number[];
  sum: number;
}

type Figures = Pick<Registry, 'select' | 'setAside' | 'orphans' | 'figures'>;

/** State of the daemon and its runs for Prometheus. No command, label or path: a scraper need not know those. */
export function renderMetrics(registry: Figures, hello: Pick<Hello, 'version' | 'startedAt'>): string {
  const families = [
    ...daemonFamilies(hello),
    ...runFamilies(registry),
    ...lifecycleFamilies(registry),
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
    counter('unstuck_snapshots_total', 'Snapshots taken of runs.', figures.snapshots.taken),
    counter(
      'unstuck_snapshot_cpu_seconds_total',
      'CPU time spent on snapshots of runs.',
      figures.snapshots.spentMs / 1000,
    ),
  ];
}

function lifecycleFamilies({ figures: { lifecycle } }: Figures): Family[] {
  const { started, ended, killed, needsInput, stuck, partsStopped, durations, durationsSumS } = lifecycle;
  return [
    counter('unstuck_runs_started_total', 'Runs started.', started),
    counter('unstuck_runs_ended_total', 'Runs that ended.', { label: 'outcome', byValue: ended }),
    counter('unstuck_runs_killed_total', 'Runs that were stopped.', killed),
    counter('unstuck_runs_needs_input_total', 'Questions of runs.', needsInput),
    counter('unstuck_runs_stuck_total', 'Times that a run became likely stuck.', stuck),
    counter('unstuck_parts_stopped_total', 'Stuck parts of runs that were stopped.', partsStopped),
    {
      name: 'unstuck_run_duration_seconds',
      type: 'histogram',
      help: 'Duration of ended runs.',
      values: { bounds: durationBoundsS, counts: durations, sum: durationsSumS },
    },
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
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samplesOf(name, values), ''].join('\n');
}

function samplesOf(name: string, values: Family['values']): string[] {
  if (typeof values === 'number') return [`${name} ${values}`];
  if ('label' in values)
    return Object.entries(values.byValue).map(
      ([value, number]) => `${name}{${values.label}="${escapeLabel(value)}"} ${number}`,
    );
  let total = 0;
  const buckets = [...values.bounds, '+Inf'].map((bound, index) => {
    total += values.counts[index] ?? 0;
    return `${name}_bucket{le="${bound}"} ${total}`;
  });
  return [...buckets, `${name}_sum ${values.sum}`, `${name}_count ${total}`];
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
