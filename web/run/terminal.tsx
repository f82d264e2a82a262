import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListedRun } from '../../src/model/operations/outputs.js';
import { call } from '../api.js';
import { Dialog, Failed } from '../parts/basics.js';
import { shown } from '../words.js';

/** A real terminal that is connected to a run. */
export function TerminalDialog({ run, onClose }: { run: ListedRun; onClose(): void }) {
  const place = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    let close = () => {};
    let isOver = false;
    const element = place.current;
    if (element === null) return;
    import('./terminal-link.js').then(
      ({ openTerminal }) => {
        if (!isOver) close = openTerminal(element, run, setError);
      },
      (failure) => setError(failure),
    );
    return () => {
      isOver = true;
      close();
    };
  }, [run.id]);
  return (
    <Dialog title={`Terminal of ${shown(run.label)}`} onClose={onClose} wide>
      {error !== null && <Failed error={error} />}
      <div class="terminal" ref={place} />
      <footer>
        <span class="muted small">
          Every key goes to the program, Esc too. Closing this window leaves it running.
        </span>
        <button
          type="button"
          onClick={() => void call('write', { id: run.id, data: '\u0003', timeoutS: 0 }).catch(setError)}
        >
          Ctrl-C
        </button>
        <button type="button" class="main" onClick={onClose}>
          Detach
        </button>
      </footer>
    </Dialog>
  );
}
