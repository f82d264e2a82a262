import type { ListedRun } from '../../src/model/operations/outputs.js';
import { nextWords } from '../next-words.js';
import { RunBadge } from '../parts/basics.js';
import { hrefOf, nextAct } from '../route.js';
import { isReadOnly, nowMs } from '../state.js';
import { elapsed, lookOf, shown } from '../words.js';

const lineEndChars = 24;

/** What a prompt accepts is at its end: `[y/N]`. A long line is cut before that. */
function LastLine({ text }: { text: string }) {
  const at = Math.max(0, text.length - lineEndChars);
  return (
    <p class="last mono" title={text}>
      <span>{text.slice(0, at)}</span>
      <span>{text.slice(at)}</span>
    </p>
  );
}

const offeredFor = ({ input }: ListedRun) => ({
  stop: !isReadOnly.value,
  answer: !isReadOnly.value && input !== 'none',
});

/** What needs a person, with what to do. */
export function Troubles({ list, chosen }: { list: readonly ListedRun[]; chosen: string | null }) {
  if (list.length === 0) return null;
  return (
    <section class="troubles" aria-label="Trouble">
      {list.map((run) => (
        <article key={run.id} class={`trouble ${lookOf(run).tone}${run.id === chosen ? ' chosen' : ''}`}>
          <div class="head">
            <RunBadge run={run} />
            <a class="label" href={hrefOf('run', run.id)}>
              {shown(run.label)}
            </a>
            <span class="muted mono">{elapsed(nowMs.value - Date.parse(run.startedAt))}</span>
            <span class="actions">
              {run.needsInput && run.input !== 'none' && !isReadOnly.value && (
                <a
                  class="button main"
                  href={hrefOf('run', run.id)}
                  onClick={() => {
                    nextAct.value = 'answer';
                  }}
                >
                  Answer
                </a>
              )}
              <a class="button" href={hrefOf('run', run.id)}>
                Why
              </a>
              {!isReadOnly.value && (
                <a
                  class="button"
                  href={hrefOf('run', run.id)}
                  onClick={() => {
                    nextAct.value = 'stop';
                  }}
                >
                  Stop …
                </a>
              )}
            </span>
          </div>
          <p class="sentence">{shown(run.why)}</p>
          {run.recommendation !== undefined && (
            <p class="todo">Next: {shown(nextWords(run.recommendation, offeredFor(run)))}</p>
          )}
          {run.lastLine !== '' && <LastLine text={shown(run.lastLine)} />}
        </article>
      ))}
    </section>
  );
}
