import { ask } from '../api.js';
import { Badge, Empty, Failed } from '../parts/basics.js';
import { useAnswer } from '../parts/use-answer.js';
import { shown } from '../words.js';

const looks = {
  yes: { tone: 'good', word: 'yes' },
  partly: { tone: 'warn', word: 'partly' },
  no: { tone: 'bad', word: 'no' },
} as const;

/** What this machine lets Unstuck see. */
export function Doctor() {
  const { value, error, again } = useAnswer((signal) => ask('doctor', {}, signal), []);
  const isWhole = value?.capabilities.every(({ costs, fix }) => costs === '' && fix === '') === true;
  return (
    <div class="doctor">
      <h1>Doctor</h1>
      {error !== null && <Failed error={error} />}
      {value === null ? (
        error === null && <Empty>Trying what this machine allows …</Empty>
      ) : (
        <>
          <p class="sentence">{value.summary}</p>
          <p class="muted small mono">
            {value.machine.kernel}, {value.machine.arch}, Node {value.machine.node}, as {value.machine.user}
          </p>
          <button type="button" onClick={again}>
            Try again
          </button>
          <div class="wide-table">
            <table>
              <thead>
                <tr>
                  {['There', 'What', 'Found', ...(isWhole ? [] : ['Without it', 'How to get it'])].map(
                    (title) => (
                      <th key={title}>{title}</th>
                    ),
                  )}
                </tr>
              </thead>
              <tbody>
                {value.capabilities.map(({ name, status, finding, costs, fix }) => (
                  <tr key={name}>
                    <td>
                      <Badge tone={looks[status].tone}>{looks[status].word}</Badge>
                    </td>
                    <td>{shown(name)}</td>
                    <td>{shown(finding)}</td>
                    {!isWhole && <td>{shown(costs)}</td>}
                    {!isWhole && <td>{shown(fix)}</td>}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </div>
  );
}
