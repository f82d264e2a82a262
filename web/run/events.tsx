import { Empty } from '../parts/basics.js';
import { shown, timeOf } from '../words.js';
import { momentsOf } from './health-band.js';
import type { Story } from './report.js';

/** What has happened to a run, newest first. */
export function Events({ story }: { story: Story }) {
  const moments = momentsOf(story?.events ?? []).toReversed();
  if (moments.length === 0) return <Empty>Nothing worth a line has happened yet.</Empty>;
  return (
    <ol class="events">
      {moments.map(({ atMs, kind, text }) => (
        <li key={`${atMs} ${text}`}>
          <time class="mono muted">{timeOf(atMs)}</time>
          <span class={`kind ${kind}`}>{kind}</span>
          <span>{shown(text)}</span>
        </li>
      ))}
    </ol>
  );
}
