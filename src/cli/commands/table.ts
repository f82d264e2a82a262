import type { Command } from '@commander-js/extra-typings';
import { addAttachCommand } from './attach/command.js';
import { addCloseCommand } from './close/command.js';
import { addCompletionCommand } from './completion/command.js';
import { addConfigCommand } from './config/command.js';
import { addDaemonCommand } from './daemon/command.js';
import { addDemoCommand } from './demo/command.js';
import { addDoctorCommand } from './doctor/command.js';
import { addDownCommand } from './down/command.js';
import { addFleetCommand } from './fleet/command.js';
import { addHistoryCommand } from './history/command.js';
import { addHookCommand } from './hook/command.js';
import { addJoinCommand } from './join/command.js';
import { addKillCommand } from './kill/command.js';
import { addLeaveCommand } from './leave/command.js';
import { addListCommand } from './list/command.js';
import { addLogCommand } from './log/command.js';
import { addMcpCommand } from './mcp/command.js';
import { addMetricsCommand } from './metrics/command.js';
import { addNoticesCommand } from './notices/command.js';
import { addOrphansCommand } from './orphans/command.js';
import { addPauseCommand } from './pause/command.js';
import { addPollCommand } from './poll/command.js';
import { addPsCommand } from './ps/command.js';
import { addQueueCommand } from './queue/command.js';
import { addRemoveCommand } from './remove/command.js';
import { addRerunCommand } from './rerun/command.js';
import { addRestartCommand } from './restart/command.js';
import { addResumeCommand } from './resume/command.js';
import { addRoutesCommand } from './routes/command.js';
import { addRunCommand } from './run/command.js';
import { addSignalCommand } from './signal/command.js';
import { addStartCommand } from './start/command.js';
import { addSubmitCommand } from './submit/command.js';
import { addTopCommand } from './top/command.js';
import { addUpCommand } from './up/command.js';
import { addVersionCommand } from './version/command.js';
import { addWaitCommand } from './wait/command.js';
import { addWatchCommand } from './watch/command.js';
import { addWebCommand } from './web/command.js';
import { addWhyCommand } from './why/command.js';
import { addWriteCommand } from './write/command.js';

/** Adds a command to the program; `complete`: with its many options, because its help or its action is asked for. */
type AddCommand = (program: Command, complete: boolean) => void;

/** All commands in the order of `unstuck --help`. */
export const commandGroups: Record<string, Record<string, AddCommand>> = {
  'One process or command:': {
    why: addWhyCommand,
    run: addRunCommand,
    history: addHistoryCommand,
    watch: addWatchCommand,
  },
  'Runs in the background:': {
    start: addStartCommand,
    list: addListCommand,
    ps: addPsCommand,
    top: addTopCommand,
    poll: addPollCommand,
    log: addLogCommand,
    wait: addWaitCommand,
    notices: addNoticesCommand,
    routes: addRoutesCommand,
    write: addWriteCommand,
    submit: addSubmitCommand,
    close: addCloseCommand,
    attach: addAttachCommand,
    kill: addKillCommand,
    restart: addRestartCommand,
    rerun: addRerunCommand,
    pause: addPauseCommand,
    resume: addResumeCommand,
    signal: addSignalCommand,
    remove: addRemoveCommand,
    up: addUpCommand,
    down: addDownCommand,
    orphans: addOrphansCommand,
    daemon: addDaemonCommand,
    metrics: addMetricsCommand,
    web: addWebCommand,
  },
  'Many machines:': {
    join: addJoinCommand,
    leave: addLeaveCommand,
    fleet: addFleetCommand,
    queue: addQueueCommand,
  },
  'For agents:': {
    mcp: (program) => addMcpCommand(program),
    hook: addHookCommand,
  },
  'Unstuck itself:': {
    demo: addDemoCommand,
    doctor: addDoctorCommand,
    config: addConfigCommand,
    completion: addCompletionCommand,
    version: addVersionCommand,
  },
};
