import { Readable } from 'node:stream';
import type { Launched } from '../launch/launch.js';

const never = new Promise<never>(() => {});

/** A command that runs in another place: nothing of it is connected to this process. Its files are copied here. */
export function launchedThere(): Launched {
  return {
    shim: null,
    identity: never,
    unseen: Promise.resolve(null),
    exitCode: never,
    isLive: false,
    live: { stdout: Readable.from([]), stderr: Readable.from([]) },
    drained: never,
    release() {},
  };
}
