import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type WatchdogEvent, type WatchdogEventKind, watchdogEventKinds } from '../../model/watchdog.js';
import { channelName } from './channels.js';
import { describeEvent } from './words.js';

export type LogLevel = 'debug' | 'info' | 'warn';

/** The part of a pino logger, or a compatible one, that is used here. */
export type WatchdogLogger = {
  [Level in LogLevel]: (fields: object, message: string) => void;
} & {
  /** Avoids formatting events of a level that the logger does not write. */
  isLevelEnabled?(level: LogLevel): boolean;
};

const levels: Record<WatchdogEventKind, LogLevel> = {
  'watchdog.started': 'info',
  'watchdog.activity': 'debug',
  'watchdog.held': 'info',
  'watchdog.timeout': 'warn',
  'watchdog.killed': 'warn',
  'watchdog.ended': 'info',
};

/** Writes the events of all watchdogs of this program to a logger. Returns a function that ends this. */
export function logTo(logger: WatchdogLogger): () => void {
  const log = (message: unknown) => {
    const { kind, at: _, ...facts } = message as WatchdogEvent;
    logger[levels[kind]]({ event: kind, ...facts }, describeEvent(message as WatchdogEvent));
  };
  const heard = watchdogEventKinds.filter((kind) => logger.isLevelEnabled?.(levels[kind]) ?? true);
  for (const kind of heard) subscribe(channelName(kind), log);
  return () => {
    for (const kind of heard) unsubscribe(channelName(kind), log);
  };
}
