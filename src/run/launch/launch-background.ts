import { Failure } from '../../model/failure.js';
import type { InputKind } from '../../model/run/background.js';
import { terminalSize } from '../../model/run/background.js';
import type { RunLog } from '../../model/run/run.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { RunInput } from '../input/run-input.js';
import { pump } from '../input/shim-pump.js';
import { openTerminal, type PseudoTerminal } from './pseudo-terminal.js';
import { shimSource } from './shim.js';
import { fixedDescriptors as fd, shimStdio } from './shim-descriptors.js';
import { type ShimSpec, startShim } from './start-shim.js';

export interface BackgroundSpec extends ShimSpec {
  directory: RunDirectory;
  /** The log of both streams. It exists already: the shim only appends. */
  log: RunLog;
  input: InputKind;
  /** Umask of the command, set in the shim: that of this process applies to all that it starts. Default: this one. */
  umask?: number | undefined;
}

function terminalFor(input: InputKind): PseudoTerminal | null {
  if (input !== 'pty') return null;
  const terminal = openTerminal();
  if (terminal === null) {
    throw new Failure('unsupported', 'cannot allocate a pseudo-terminal', 'start it with --stdin instead');
  }
  terminal.resize(terminalSize);
  return terminal;
}

/**
 * Starts the command under the shim and detaches from it at once. Everything that happens is in its directory, and the
 * process that started it may end. A second start in the same directory does nothing (the shim ensures this). Throws a
 * Failure when the command cannot be executed.
 */
export function launchBackground(spec: BackgroundSpec): { shim: number } {
  const { directory, input, log, umask } = spec;
  if (log.file !== 'output.log') throw new Error(`the shim does not write to ${log.file}`);
  if (input !== 'none') RunInput.prepare(directory);
  const terminal = terminalFor(input);
  try {
    const shim = startShim(spec, {
      script: (before) => [...(input === 'none' ? [] : [pump]), shimSource({ fd, before, umask })].join('\n'),
      streams: input === 'pty' ? 'pty' : 1,
      input,
      stdio: shimStdio(fd, { ends: ['ignore', 'ignore', 'ignore'], control: 'ignore', terminal }),
    });
    shim.unref();
    return { shim: shim.pid };
  } finally {
    terminal?.close();
  }
}
