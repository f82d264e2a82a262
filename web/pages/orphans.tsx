import { useState } from 'preact/hooks';
import type { OrphanKill } from '../../src/model/orphan.js';
import { formatDuration } from '../../src/text/duration.js';
import { formatBytes } from '../../src/text/format-bytes.js';
import { ask } from '../api.js';
import { Badge, Dialog, Empty, Failed } from '../parts/basics.js';
import { useAnswer } from '../parts/use-answer.js';
import { hrefOf } from '../route.js';
import { ReceiptView } from '../run/receipt.js';
import { isReadOnly } from '../state.js';
import { shown } from '../words.js';

/** Processes that outlived their run, with the proof. */
export function Orphans() {
  const found = useAnswer((signal) => ask('findOrphans', {}, signal), []);
  const [force, setForce] = useState<boolean | null>(null);
  const orphans = found.value?.orphans ?? [];
  const confirmed = orphans.filter(({ classification }) => classification === 'confirmed').length;
  return (
    <div class="orphans">
      <h1>Orphans</h1>
      <p class="muted">
        Processes that outlived the run that started them. Suspected ones are not proven to be of a run.
      </p>
      <div class="tools">
        <button type="button" onClick={found.again}>
          Search again
        </button>
        {!isReadOnly.value && confirmed > 0 && (
          <button type="button" class="danger" onClick={() => setForce(false)}>
            Stop confirmed …
          </button>
        )}
        {!isReadOnly.value && orphans.length > confirmed && (
          <button type="button" class="danger" onClick={() => setForce(true)}>
            Stop suspected too …
          </button>
        )}
      </div>
      {found.error !== null && <Failed error={found.error} />}
      {found.value === null && found.isAsking && <Empty>Searching …</Empty>}
      {found.value !== null && orphans.length === 0 && (
        <Empty>No orphans: no process outlived its run.</Empty>
      )}
      {orphans.length > 0 && (
        <div class="wide-table">
          <table class="stacked">
            <thead>
              <tr>
                {['Class', 'Pid', 'Command', 'Age', 'Memory', 'Ports', 'Proof'].map((title) => (
                  <th key={title}>{title}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {orphans.map((orphan) => (
                <tr key={orphan.pid}>
                  <td>
                    <Badge tone={orphan.classification === 'confirmed' ? 'bad' : 'warn'}>
                      {orphan.classification}
                    </Badge>
                  </td>
                  <td>
                    <a class="mono" href={hrefOf('processes', String(orphan.pid))}>
                      {orphan.pid}
                    </a>
                  </td>
                  <td class="mono">{shown(orphan.command).slice(0, 80)}</td>
                  <td>{formatDuration(orphan.ageMs)}</td>
                  <td class="mono">
                    {orphan.residentBytes === null ? '' : formatBytes(orphan.residentBytes)}
                  </td>
                  <td class="mono">{orphan.ports.join(', ')}</td>
                  <td>{shown(orphan.reason)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {force !== null && (
        <StopOrphans
          force={force}
          onClose={() => {
            setForce(null);
            found.again();
          }}
        />
      )}
    </div>
  );
}

function StopOrphans({ force, onClose }: { force: boolean; onClose(): void }) {
  const plan = useAnswer((signal) => ask('killOrphans', { force, dryRun: true }, signal), [force]);
  const [done, setDone] = useState<OrphanKill | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isStopping, setStopping] = useState(false);
  const doomed = plan.value?.results.filter(({ result }) => result === 'would-kill') ?? [];
  const stop = () => {
    setStopping(true);
    ask('killOrphans', { force })
      .then(setDone, setError)
      .finally(() => setStopping(false));
  };
  return (
    <Dialog title="Stop orphans" onClose={onClose}>
      {done === null ? (
        <>
          <p>These processes get SIGTERM. What is left after five seconds is killed.</p>
          {plan.error !== null && <Failed error={plan.error} />}
          <ul class="victims">
            {doomed.map(({ pid, command }) => (
              <li key={pid}>
                <b class="mono">{pid}</b> <span class="mono">{shown(command)}</span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <p>
            {done.killed} stopped, {done.skipped} skipped, {done.failed} failed. {done.tip ?? ''}
          </p>
          {done.receipt !== null && <ReceiptView receipt={done.receipt} />}
        </>
      )}
      {error !== null && <Failed error={error} />}
      <footer>
        <button type="button" onClick={onClose}>
          {done === null ? 'Leave them' : 'Close'}
        </button>
        {done === null && (
          <button type="button" class="danger" disabled={isStopping || doomed.length === 0} onClick={stop}>
            Stop {doomed.length}
          </button>
        )}
      </footer>
    </Dialog>
  );
}
