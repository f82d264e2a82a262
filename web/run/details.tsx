import type { ListedRun } from '../../src/model/operations/outputs.js';
import type { WhyAnswer } from '../../src/model/verdict.js';
import { isHang, kindWords } from '../../src/model/verdict-words.js';
import { Empty, Failed } from '../parts/basics.js';
import type { Answer } from '../parts/use-answer.js';
import { isReadOnly } from '../state.js';
import { shown, timeOf } from '../words.js';
import type { Part } from './acts.js';
import { Events } from './events.js';
import { EvidenceView, Files } from './evidence.js';
import { WaitGraphView } from './graph.js';
import { Report, type Story } from './report.js';

const tabs = { graph: 'Wait graph', evidence: 'Evidence', events: 'Events', report: 'Report' } as const;
export type Tab = keyof typeof tabs;

interface DetailsProps {
  run: ListedRun;
  tab: Tab;
  onTab(tab: Tab): void;
  /** Why it waits now. */
  live: Answer<WhyAnswer | null>;
  story: Story;
  onStopPart(part: Part): void;
}

/** What was just read shows a hang, before its health does: that takes several samples. null: it shows none. */
function foundNow(run: ListedRun, { verdict, findings }: WhyAnswer): string | null {
  if (run.status !== 'running' || run.health !== 'healthy' || run.needsInput) return null;
  const { kind, certainty, reason } = isHang(verdict.kind) ? verdict : (findings[0] ?? verdict);
  return isHang(kind) ? `Now: ${kindWords[kind]}, ${certainty}: ${shown(reason)}` : null;
}

/** Wait graph, evidence, events and report of a run. */
export function Details({ run, tab, onTab, live, story, onStopPart }: DetailsProps) {
  const isLive = run.status === 'running';
  const answer = isLive ? live.value : (story?.report?.why ?? null);
  return (
    <section class="panel" aria-label="Details">
      <div class="tabs">
        <div class="segments" role="tablist" aria-label="Details">
          {(Object.keys(tabs) as Tab[]).map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={tab === name}
              onClick={() => onTab(name)}
            >
              {tabs[name]}
            </button>
          ))}
        </div>
        {isLive && (
          <span class="right muted small">
            {answer === null ? '' : `read at ${timeOf(answer.at)}`}{' '}
            <button type="button" class="quiet" onClick={live.again} aria-label="Read again">
              ↻
            </button>
          </span>
        )}
      </div>
      <div class="body">
        {tab === 'graph' &&
          (answer !== null ? (
            <>
              {foundNow(run, answer) !== null && <p class="sentence">{foundNow(run, answer)}</p>}
              <WaitGraphView
                answer={answer}
                onStopPart={
                  isReadOnly.value || !isLive
                    ? undefined
                    : ({ pid, startTicks, label }) =>
                        onStopPart({ pid: pid ?? 0, startTicks: startTicks ?? 0, label })
                }
              />
            </>
          ) : isLive ? (
            live.error !== null ? (
              <Failed error={live.error} />
            ) : (
              <Empty>Reading what it waits for …</Empty>
            )
          ) : (
            <Empty>It ended by itself: there is no graph of its last moment.</Empty>
          ))}
        {tab === 'evidence' && (
          <>
            {answer !== null ? <EvidenceView answer={answer} /> : <Empty>No evidence was taken.</Empty>}
            {(story?.files.length ?? 0) > 0 && <Files id={run.id} files={story?.files ?? []} />}
          </>
        )}
        {tab === 'events' && <Events story={story} />}
        {tab === 'report' && <Report story={story} isLive={isLive} />}
      </div>
    </section>
  );
}
