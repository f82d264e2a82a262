import type { Receipt } from '../../src/model/run/receipt.js';
import { formatDuration } from '../../src/text/duration.js';
import { shown } from '../words.js';

const resultWords = {
  ended: 'ended',
  survived: 'survived',
  'not-permitted': 'not permitted',
  'identity-unproven': 'not proven to be the same process',
} as const;

/** What was stopped, and what was not. */
export function ReceiptView({ receipt }: { receipt: Receipt }) {
  const { processes, survivors, ports, tookMs, whole } = receipt;
  const ended = processes.filter(({ result }) => result === 'ended').length;
  return (
    <div class="receipt">
      <p>
        <b>
          Stopped {ended} of {processes.length} {processes.length === 1 ? 'process' : 'processes'} in{' '}
          {formatDuration(tookMs)}.
        </b>
        {survivors.length > 0 && ` Still there: ${survivors.join(', ')}.`}
        {!whole && ' Not every process could be read: there may be more.'}
      </p>
      <table>
        <thead>
          <tr>
            <th>Process</th>
            <th>Belongs to the run by</th>
            <th>Signals</th>
            <th>Result</th>
          </tr>
        </thead>
        <tbody>
          {processes.map(({ pid, command, because, signals, result }) => (
            <tr key={pid}>
              <td class="mono">
                {pid} {shown(command).slice(0, 60)}
              </td>
              <td>{because.join(', ')}</td>
              <td class="mono">{signals.join(', ')}</td>
              <td>{resultWords[result]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {ports.length > 0 && (
        <p class="muted">
          {ports.map(({ port, free }) => `port ${port} ${free ? 'is free' : 'is still in use'}`).join(', ')}
        </p>
      )}
    </div>
  );
}
