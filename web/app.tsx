import { useEffect, useRef, useState } from 'preact/hooks';
import { formatDuration } from '../src/text/duration.js';
import { Doctor } from './pages/doctor.js';
import { History } from './pages/history.js';
import { Hosts } from './pages/hosts.js';
import { Notices } from './pages/notices.js';
import { Orphans } from './pages/orphans.js';
import { Overview } from './pages/overview.js';
import { Processes } from './pages/processes.js';
import { Dialog } from './parts/basics.js';
import { useKeys } from './parts/keys.js';
import { go, hrefOf, route } from './route.js';
import { RunPage } from './run/run-page.js';
import { daemonTrouble, gap, hello, isReadOnly, lastNotice, link, nowMs } from './state.js';
import { setTheme, type Theme, theme } from './theme.js';
import { shown, timeOf } from './words.js';

const pages = [
  { page: 'runs', title: 'Runs', key: '1' },
  { page: 'processes', title: 'Processes', key: '2' },
  { page: 'orphans', title: 'Orphans', key: '3' },
  { page: 'history', title: 'History', key: '4' },
  { page: 'notices', title: 'Notices', key: '5' },
  { page: 'doctor', title: 'Doctor', key: '6' },
  { page: 'hosts', title: 'Hosts', key: '7' },
] as const;

/** Hosts are those of a fleet. */
const offered = () => pages.filter(({ page }) => page !== 'hosts' || (hello.value?.fleet ?? null) !== null);

function Page() {
  const { page, id } = route.value;
  if (page === 'run') return <RunPage key={id} id={id} />;
  if (page === 'processes') return <Processes pid={id} />;
  if (page === 'orphans') return <Orphans />;
  if (page === 'history') return <History chosen={id} />;
  if (page === 'notices') return <Notices />;
  if (page === 'doctor') return <Doctor />;
  if (page === 'hosts') return <Hosts chosen={id} />;
  return <Overview />;
}

const themes: Record<Theme, { next: Theme; sign: string }> = {
  auto: { next: 'light', sign: '◐' },
  light: { next: 'dark', sign: '○' },
  dark: { next: 'auto', sign: '●' },
};

function Bar({ onHelp }: { onHelp(): void }) {
  const { page } = route.value;
  const { next, sign } = themes[theme.value];
  const nav = useRef<HTMLElement>(null);
  // On a narrow screen the names of the pages scroll.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [page]);
  return (
    <header class="bar">
      <a class="brand" href={hrefOf('runs')}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <rect width="16" height="16" rx="4" />
          <path d="M4.5 4v4.5a3.5 3.5 0 0 0 7 0V4" />
        </svg>
        Unstuck
      </a>
      <nav aria-label="Pages" ref={nav}>
        {offered().map((one) => (
          <a
            key={one.page}
            href={hrefOf(one.page)}
            aria-current={page === one.page || (page === 'run' && one.page === 'runs') ? 'page' : undefined}
          >
            {one.title}
            {one.page === 'notices' && lastNotice.value > 0 && <small>{lastNotice.value}</small>}
          </a>
        ))}
      </nav>
      <div class="right">
        {isReadOnly.value && <span class="pill">read-only</span>}
        <LinkState />
        <button
          type="button"
          class="quiet"
          onClick={() => setTheme(next)}
          aria-label={`Colours: ${theme.value}. Change`}
        >
          {sign}
        </button>
        <button type="button" class="quiet" onClick={onHelp} aria-label="Keys">
          ?
        </button>
      </div>
    </header>
  );
}

function LinkState() {
  const { kind } = link.value;
  const words = { connecting: 'connecting', live: 'live', lost: 'no connection', away: 'daemon away' }[kind];
  return (
    <span
      class={`link ${kind}`}
      role="status"
      title={hello.value === null ? '' : `Unstuck ${hello.value.version} on ${hello.value.host}`}
    >
      <i aria-hidden="true" />
      {words}
    </span>
  );
}

/** What the page does not know, or did not know for a while. */
function Gaps() {
  const state = link.value;
  if (state.kind === 'lost' || state.kind === 'away') {
    const forMs = Math.max(0, nowMs.value - state.sinceMs);
    return (
      <p class="strip warn" role="alert">
        {state.kind === 'lost'
          ? `No connection to unstuck web for ${formatDuration(forMs)}: what you see is old. The runs go on.`
          : `The daemon does not answer since ${timeOf(state.sinceMs)}: ${shown(state.reason)}. The runs go on.`}
      </p>
    );
  }
  const trouble = daemonTrouble.value;
  const missed = gap.value;
  return (
    <>
      {trouble !== null && <p class="strip warn">The daemon has trouble: {shown(trouble)}</p>}
      {missed !== null && (
        <p class="strip" role="status">
          The daemon was away {missed.forMs >= 1000 && `for ${formatDuration(missed.forMs)} `}at{' '}
          {timeOf(missed.fromMs)}. The runs went on; this page is up to date again.
          <button
            type="button"
            class="quiet"
            onClick={() => {
              gap.value = null;
            }}
          >
            Dismiss
          </button>
        </p>
      )}
    </>
  );
}

const keyHelp = (): [string, string][] => [
  [`1 … ${offered().length}`, 'pages'],
  ['/', 'search'],
  ['j k ↑ ↓', 'next and previous run'],
  ['Enter', 'open'],
  ['f', 'next filter'],
  ['g l t e', 'in a run: graph, log, terminal, evidence'],
  ['a', 'in a run: answer'],
  ['x', 'in a run: stop'],
  ['u Esc', 'back to all runs'],
  ['?', 'this list'],
];

export function App() {
  const [isHelp, setHelp] = useState(false);
  const byKey = Object.fromEntries(offered().map(({ key, page }) => [key, () => go(page)]));
  useKeys({ ...byKey, '?': () => setHelp(true) });
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to content
      </a>
      <Bar onHelp={() => setHelp(true)} />
      <Gaps />
      <main id="main" tabIndex={-1}>
        <Page />
      </main>
      {isHelp && (
        <Dialog title="Keys" onClose={() => setHelp(false)}>
          <dl class="keys">
            {keyHelp().map(([keys, what]) => (
              <div key={keys}>
                <dt>
                  {keys.split(' ').map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </>
  );
}
