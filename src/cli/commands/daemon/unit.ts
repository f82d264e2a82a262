import { fileURLToPath } from 'node:url';
import { daemonArgv } from '../../../control/client/start-daemon.js';
import { Failure } from '../../../model/failure.js';
import { fail } from '../../shared/fail.js';

/** systemd.service(5): in quotes, with % and $ doubled. */
function quote(word: string): string {
  if (/[\0-\x1f]/.test(word)) {
    throw new Failure(
      'unsupported',
      'a systemd unit cannot contain a path with a line break',
      'install Unstuck in another directory',
    );
  }
  return `"${word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
}

/** Stopping the unit ends only the daemon: its runs go on. */
export function daemonUnit(node: string, cli: string): string {
  return `# Put this into ~/.config/systemd/user/unstuck.service:
#   unstuck daemon unit >~/.config/systemd/user/unstuck.service
#   systemctl --user enable --now unstuck
# To have it without being logged in: loginctl enable-linger
[Unit]
Description=Unstuck: keeps commands that run in the background

[Service]
ExecStart=${daemonArgv(node, cli).map(quote).join(' ')}
Environment=UNSTUCK_DAEMON_IDLE=0
KillMode=process
Restart=on-failure

[Install]
WantedBy=default.target
`;
}

/** `unstuck daemon unit`. */
export function runDaemonUnit(): void {
  try {
    // This file is in dist/chunks.
    process.stdout.write(daemonUnit(process.execPath, fileURLToPath(new URL('../cli.cjs', import.meta.url))));
  } catch (error) {
    fail(error, false);
  }
}
