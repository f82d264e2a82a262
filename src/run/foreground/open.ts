import type { ProcessIdentity } from '../../model/facts/identity.js';
import { Failure } from '../../model/failure.js';
import type { RunLog } from '../../model/run/run.js';
import { hasProc, needUnix, noProc } from '../../probe/machine.js';
import { identify } from '../../probe/processes.js';
import { redact } from '../../redact/redact.js';
import { RunDirectory } from '../../store/run-directory.js';
import { newRunId } from '../../store/run-ids.js';
import { Journal } from '../journal.js';
import { type Launched, launch } from '../launch/launch.js';
import { launchedThere } from '../place/launched-there.js';
import { commandEnv, commandLine, labelOf, logHeader } from '../prepare.js';
import type { RunAbout } from '../report/compose.js';
import type { RunRequest } from '../request.js';

/** A started run: its request, its directory and its shim. */
export interface OpenRun extends RunAbout {
  /** null: nothing could be stored. */
  directory: RunDirectory | null;
  logs: RunLog[];
  /** Path of the first log, the one to show. */
  log: string | null;
  journal: Journal;
  launched: Launched;
  /** Stores the identity of the command once it is known. */
  record(identity: ProcessIdentity | null): void;
}

const logNames = {
  1: [['output.log', 'both']],
  2: [
    ['stdout.log', 'stdout'],
    ['stderr.log', 'stderr'],
  ],
} as const;

const blind = `${noProc.finding}: health is unknown, --kill-on has no effect, and only the command and its process group can be stopped (${noProc.fix})`;

interface Kept {
  directory: RunDirectory;
  logs: RunLog[];
}

/** Makes the directory with its logs. A string is the reason why there is none; the run goes on without it. */
function keep(request: RunRequest, id: string, header: string): Kept | string {
  let directory: RunDirectory | null = null;
  try {
    const made = RunDirectory.create(id, request.settings.logDir);
    directory = made;
    const logs = logNames[request.streams].map(([file, stream]) => made.createLog(file, stream, header));
    return { directory, logs };
  } catch (error) {
    directory?.remove();
    return `the output is not kept: ${(error as Error).message}`;
  }
}

/** What a place sends is kept here first. */
function notKept(reason: Kept | string): Failure {
  return new Failure(
    'cannot-write',
    String(reason),
    'free some disk space, or name another directory: --log-dir DIR',
  );
}

/** Starts the command. Throws a Failure when it cannot be executed, and leaves nothing behind. */
export function openRun(request: RunRequest): OpenRun {
  needUnix();
  const { command, cwd, env, openFiles, inherited, settings, streams, stdin } = request;
  if (command.length === 0) {
    throw new Failure('bad-input', 'no command given', 'name one: unstuck run -- npm test');
  }
  const id = request.there?.id ?? newRunId();
  const label = settings.label === null ? labelOf(command) : redact(settings.label);
  const shown = commandLine(command);
  const startedAt = new Date().toISOString();
  const kept = keep(request, id, logHeader(shown, cwd, startedAt));
  const { directory, logs } = typeof kept === 'string' ? { directory: null, logs: [] } : kept;
  const supervisor = identify(process.pid);
  const record = (identity: ProcessIdentity | null) => {
    const about = { id, label, command: shown, cwd, startedAt, identity, supervisor, logs };
    const { history: isKept, historyKey: key } = settings;
    const isUsual = isKept && key === null;
    directory?.writeRecord({
      version: 1,
      ...about,
      background: null,
      ...(!isUsual && { history: { isKept, key: key === null ? null : redact(key) } }),
    });
  };
  try {
    record(null);
    if (request.there !== undefined && directory === null) throw notKept(kept);
    const launched =
      request.there !== undefined
        ? launchedThere()
        : launch({
            id,
            command,
            cwd,
            env: commandEnv(env, settings.quietEnv),
            openFiles,
            inherited,
            directory,
            streams,
            stdin,
            terminal: request.terminal,
            suspended: request.suspended,
          });
    const journal = new Journal(directory, request.listen);
    if (!hasProc()) journal.warn(blind);
    if (typeof kept === 'string') journal.warn(kept);
    const log = logs[0] === undefined ? null : (directory?.file(logs[0].file) ?? null);
    return { id, label, command: shown, cwd, startedAt, directory, logs, log, journal, launched, record };
  } catch (error) {
    directory?.remove();
    throw error;
  }
}
