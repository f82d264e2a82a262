import { signalName } from '../facts/signals.js';

/** Why some output is not in the log: the log could not be written, or the process that writes it was ended. */
export const lossCauses = ['write-failed', 'drain-killed'] as const;

/** Output that is missing in the log. The same fact and sentence wherever output is shown. */
export interface OutputLost {
  cause: (typeof lossCauses)[number];
  /** One sentence for a user. */
  message: string;
}

const sigxfsz = 25;

/** `status`: exit status of the process that writes the log, as a shell reports it. */
export function outputLostBy(status: number): OutputLost {
  const signal = status > 128 ? status - 128 : 0;
  if (signal === 0 || signal === sigxfsz) {
    return {
      cause: 'write-failed',
      message: 'some of its output was not saved (disk full, or file size limit reached?)',
    };
  }
  return {
    cause: 'drain-killed',
    message: `some of its output was not saved: ${signalName(signal)} ended the process that writes its log`,
  };
}
