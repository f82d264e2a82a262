import { useState } from 'preact/hooks';
import type { ListedRun } from '../../src/model/operations/outputs.js';
import { asksForSecret } from '../../src/model/run/match-run.js';
import type { Receipt } from '../../src/model/run/receipt.js';
import { ask, call } from '../api.js';
import { Dialog, Failed } from '../parts/basics.js';
import { useAnswer } from '../parts/use-answer.js';
import { shown } from '../words.js';
import { ReceiptView } from './receipt.js';

export interface Part {
  pid: number;
  startTicks: number;
  label: string;
}

/** Says what will be stopped, stops it, and shows what was. */
export function StopDialog({ run, part, onClose }: { run: ListedRun; part: Part | null; onClose(): void }) {
  const tree = useAnswer((signal) => ask('why', { id: run.id }, signal), [run.id]);
  const [state, setState] = useState<
    'asking' | 'stopping' | { receipt: Receipt | null } | { error: unknown }
  >('asking');
  const answer = tree.value;
  const listed = (answer?.processes ?? []).filter(
    ({ inTree, pid }) => inTree && (part === null || isBelow(pid)),
  );
  function isBelow(pid: number): boolean {
    const byPid = new Map((answer?.processes ?? []).map((one) => [one.pid, one.parent]));
    for (
      let at: number | undefined = pid, steps = 0;
      at !== undefined && steps < 64;
      at = byPid.get(at), steps += 1
    ) {
      if (at === part?.pid) return true;
    }
    return false;
  }
  const stop = async () => {
    setState('stopping');
    try {
      const done =
        part === null
          ? await call('kill', { id: run.id })
          : await call('killPart', { id: run.id, pid: part.pid, startTicks: part.startTicks });
      setState({ receipt: done.receipt });
    } catch (error) {
      setState({ error });
    }
  };
  const title = part === null ? `Stop ${shown(run.label)}` : `Stop ${shown(part.label)}`;
  const isDone = typeof state === 'object' && 'receipt' in state;
  return (
    <Dialog title={title} onClose={onClose}>
      {isDone ? (
        state.receipt === null ? (
          <p>It had ended already.</p>
        ) : (
          <ReceiptView receipt={state.receipt} />
        )
      ) : (
        <>
          <p>
            {part === null
              ? 'These processes, and what they start until then, get SIGTERM. What is left after the grace time is killed.'
              : 'Only this process and what it started are stopped. The rest of the run goes on.'}
          </p>
          {tree.error !== null && <Failed error={tree.error} />}
          <ul class="victims">
            {listed.map(({ pid, command, doing }) => (
              <li key={pid}>
                <b class="mono">{pid}</b> <span class="mono">{shown(command)}</span>{' '}
                <small class="muted">{shown(doing)}</small>
              </li>
            ))}
          </ul>
          {typeof state === 'object' && 'error' in state && <Failed error={state.error} />}
        </>
      )}
      <footer>
        <button type="button" onClick={onClose}>
          {isDone ? 'Close' : 'Leave it running'}
        </button>
        {!isDone && (
          <button type="button" class="danger" disabled={state === 'stopping'} onClick={stop}>
            {state === 'stopping'
              ? 'Stopping …'
              : `Stop ${listed.length === 1 ? '1 process' : `${listed.length || ''} processes`}`}
          </button>
        )}
      </footer>
    </Dialog>
  );
}

/** A line for the stdin of a run. */
export function AnswerBox({ run, prompt, onDone }: { run: ListedRun; prompt: string; onDone(): void }) {
  const [text, setText] = useState('');
  const [note, setNote] = useState<{ error: unknown } | string | null>(null);
  const isSecret = asksForSecret(`${prompt} ${run.why}`);
  const send = async () => {
    setNote('Sending …');
    try {
      const { delivered } = await call('submit', { id: run.id, data: text });
      setText('');
      setNote(
        delivered === true
          ? 'The command has read it.'
          : 'It is kept for the command, which has not read it yet.',
      );
      onDone();
    } catch (error) {
      setNote({ error });
    }
  };
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label>
        <span>Answer{prompt === '' ? '' : ':'}</span> <code>{shown(prompt)}</code>
        <input
          id="answer"
          {...(isSecret ? { type: 'password' as const } : { type: 'text' as const })}
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="main">
        Send
      </button>
      {typeof note === 'string' && (
        <span role="status" class="muted">
          {note}
        </span>
      )}
      {typeof note === 'object' && note !== null && <Failed error={note.error} />}
    </form>
  );
}
