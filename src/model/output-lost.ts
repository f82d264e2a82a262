import { signalName } from './signals.js';

/** Why some output is not in the log: the log could not be written, or the process that writes it was ended. */
export const lossCauses = ['write-failed', 'drain-killed'] as const;

/** Output that was printed and is not in the log. The same fact and the same sentence wherever output is shown. */
export interface OutputLost {
  cause: (typeof lossCauses)[number];
  /** One sentence for a person. */
  message: string;
}

const sigxfsz = 25;

/** `status`: what the process that writes the log ended with, as a shell reports it. */
export function outputLostBy(status: number): OutputLost {
  const signal = status > 128 ? status - 128 : 0;
  if (signal === 0 || signal === sigxfsz) {
    return {
      cause: 'write-failed',
      message:
        'not all of its output could be kept (was the disk full, or the limit for the size of a file reached?)',
    };
  }
  return {
    cause: 'drain-killed',
    message: `not all of its output could be kept: ${signalName(signal)} ended the process that writes its log`,
  };
}
