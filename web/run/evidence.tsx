import { useState } from 'preact/hooks';
import type { ShownStack } from '../../src/model/facts/stack.js';
import type { AbsentFact, Finding, Verdict, WhyAnswer } from '../../src/model/verdict.js';
import { formatDuration } from '../../src/text/duration.js';
import { ask } from '../api.js';
import { Failed } from '../parts/basics.js';
import { shown } from '../words.js';

/** All that the verdict and the findings rest on. */
export function EvidenceView({ answer }: { answer: WhyAnswer }) {
  const { verdict, findings, absent, tookMs } = answer;
  return (
    <div class="evidence-view">
      <About title={`${verdict.kind}, ${verdict.certainty}`} about={verdict} />
      {findings.map((finding) => (
        <About
          key={`${finding.pid} ${finding.reason}`}
          title={`stuck part: ${finding.kind}, ${finding.certainty}`}
          about={finding}
          finding={finding}
        />
      ))}
      {absent.length > 0 && <Absent list={absent} />}
      <p class="muted small">
        Read from the kernel in {formatDuration(tookMs)}, without stopping any process.
      </p>
    </div>
  );
}

function About({ title, about, finding }: { title: string; about: Verdict | Finding; finding?: Finding }) {
  return (
    <section>
      <h2>{title}</h2>
      <p class="sentence">{shown(about.reason)}</p>
      <ul class="evidence">
        {about.evidence.map((line) => (
          <li key={line}>{shown(line)}</li>
        ))}
      </ul>
      {finding?.inside?.threads.map((thread) => (
        <p key={thread.name}>
          <b>{shown(thread.name)}</b> waits for {shown(thread.waitsFor)}
          {thread.at !== null && <span class="mono"> at {shown(thread.at)}</span>}
        </p>
      ))}
      {about.stack?.map((stack) => (
        <Stack key={`${stack.pid} ${stack.thread}`} stack={stack} />
      ))}
      {about.next.length > 0 && (
        <>
          <h3>Next</h3>
          <ul>
            {about.next.map((step) => (
              <li key={step}>{shown(step)}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Stack({ stack }: { stack: ShownStack }) {
  return (
    <details open>
      <summary>
        Stack of {stack.pid}, {shown(stack.thread)}
      </summary>
      <pre>{stack.lines.map(shown).join('\n')}</pre>
    </details>
  );
}

function Absent({ list }: { list: readonly AbsentFact[] }) {
  return (
    <section>
      <h2>Could not be read</h2>
      <ul>
        {list.map(({ fact, why, costs }) => (
          <li key={fact}>
            {shown(fact)}: {shown(why)} <span class="muted">{shown(costs)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Files that were kept before a stop. */
export function Files({ id, files }: { id: string; files: readonly { name: string; bytes: number }[] }) {
  const [open, setOpen] = useState<{ name: string; text: string } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const show = (name: string) =>
    ask('file', { id, name }).then(
      ({ text, cut }) => setOpen({ name, text: cut ? `${text}\n… cut here` : text }),
      setError,
    );
  return (
    <section>
      <h2>Evidence that was kept</h2>
      <p class="actions">
        {files.map(({ name }) => (
          <button key={name} type="button" aria-pressed={open?.name === name} onClick={() => void show(name)}>
            {name}
          </button>
        ))}
      </p>
      {error !== null && <Failed error={error} />}
      {open !== null && (
        <pre class="file" tabIndex={0}>
          {open.text}
        </pre>
      )}
    </section>
  );
}
