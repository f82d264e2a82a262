import { formatDuration } from '../../src/text/duration.js';
import { formatBytes } from '../../src/text/format-bytes.js';
import type { ask } from '../api.js';
import { Empty, Fact } from '../parts/basics.js';
import { shown } from '../words.js';
import { ReceiptView } from './receipt.js';

/** null: it is being read. */
export type Story = Awaited<ReturnType<typeof ask<'story'>>> | null;

/** How a run has ended. */
export function Report({ story, isLive }: { story: Story; isLive: boolean }) {
  const report = story?.report ?? null;
  if (report === null)
    return <Empty>{isLive ? 'The report is written when it ends.' : 'There is no report.'}</Empty>;
  const { outcome, exit, elapsedMs, peak, receipt, leftBehind, longestSilenceMs, warnings } = report;
  // A process uses memory: 0 means that it ended before the first sample.
  const wasSampled = peak.residentBytes > 0;
  return (
    <div class="report">
      <dl class="about">
        <Fact name="Outcome">{outcome}</Fact>
        <Fact name="Exit" mono>
          {exit.signal ?? (exit.code === null ? 'unknown' : String(exit.code))}
        </Fact>
        <Fact name="Known by">{exit.provenance}</Fact>
        <Fact name="Time">{formatDuration(elapsedMs)}</Fact>
        {wasSampled && <Fact name="Most CPU" mono>{`${Math.round(peak.cpuPercent)} %`}</Fact>}
        {wasSampled && (
          <Fact name="Most memory" mono>
            {formatBytes(peak.residentBytes)}
          </Fact>
        )}
        {longestSilenceMs !== null && <Fact name="Longest silence">{formatDuration(longestSilenceMs)}</Fact>}
      </dl>
      {report.diagnosis !== null && <p class="sentence">{shown(report.diagnosis.reason)}</p>}
      {receipt !== null && <ReceiptView receipt={receipt} />}
      {leftBehind.length > 0 && (
        <p>Left behind: {leftBehind.map(({ pid, command }) => `${shown(command)} (${pid})`).join(', ')}</p>
      )}
      {warnings.map((warning) => (
        <p key={warning} class="failed">
          {shown(warning)}
        </p>
      ))}
    </div>
  );
}
