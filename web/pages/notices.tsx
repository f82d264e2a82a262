import { useState } from 'preact/hooks';
import { call } from '../api.js';
import { Badge, Empty, Failed } from '../parts/basics.js';
import { useAnswer } from '../parts/use-answer.js';
import { hrefOf } from '../route.js';
import { isReadOnly, lastNotice, runs } from '../state.js';
import type { Tone } from '../words.js';
import { dayOf, shown } from '../words.js';

/** Acknowledgements of the dashboard are apart from those of other consumers. */
const consumer = 'web';
const tones: Record<string, Tone> = { exit: 'calm', match: 'good', 'needs-input': 'ask', stuck: 'bad' };

export function Notices() {
  const [ack, setAck] = useState<number | null>(null);
  const { value, error } = useAnswer(
    (signal) => call('notices', { consumer, limit: 200, ...(ack !== null && { ack }) }, signal),
    [lastNotice.value, ack],
  );
  const list = value?.notices ?? [];
  return (
    <div class="notices">
      <h1>Notices</h1>
      <div class="tools">
        {!isReadOnly.value && list.length > 0 && (
          <button type="button" onClick={() => setAck(value?.last ?? 0)}>
            Acknowledge all
          </button>
        )}
        <span class="muted small">
          {list.length === 0 ? '' : `${list.length + (value?.more ?? 0)} not acknowledged here`}
        </span>
      </div>
      {error !== null && <Failed error={error} />}
      {value !== null && list.length === 0 && (
        <Empty>
          No new notices. A run reports when it is asked to:{' '}
          <code>unstuck start --notify-on exit,needs-input,stuck -- …</code>
        </Empty>
      )}
      <ol class="events">
        {list.toReversed().map((notice) => (
          <li key={notice.seq}>
            <time class="mono muted">{dayOf(notice.at)}</time>
            <Badge tone={tones[notice.kind] ?? 'warn'}>{notice.kind}</Badge>
            <span>
              {notice.runId !== null && runs.value?.has(notice.runId) ? (
                <a href={hrefOf('run', notice.runId)}>{shown(notice.label ?? notice.runId)}</a>
              ) : (
                <b>{shown(notice.label ?? '')}</b>
              )}{' '}
              {shown(notice.text)}
              {notice.output !== '' && <pre>{notice.output.split('\n').map(shown).join('\n')}</pre>}
              {!isReadOnly.value && (
                <button type="button" class="quiet" onClick={() => setAck(notice.seq)}>
                  Acknowledge up to here
                </button>
              )}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
