import path from 'node:path';
import type { OutputFollower } from './follow-output.js';
import { LogRoom } from './log-room.js';

interface Watched {
  directory: string;
  shim: number;
  followers: readonly OutputFollower[];
  /** The reader does not read: the command is held back, and its logs do not grow. */
  isHeldBack(): boolean;
}

/** When the logs have little room, the output comes live, so that all of it can be passed on whatever becomes of them. */
export function watchRoom({ directory, shim, followers, isHeldBack }: Watched): LogRoom {
  let isRetiring = false;
  const goLive = async (): Promise<void> => {
    if (isRetiring || isHeldBack() || followers.every(({ isLive }) => isLive)) return;
    isRetiring = true;
    const { retireCats } = await import('./retire-cats.js');
    await retireCats(shim, ({ target }) => {
      for (const follower of followers) {
        if (target.endsWith(path.basename(follower.path ?? '\0'))) follower.goLive();
      }
    });
    isRetiring = false;
  };
  return new LogRoom(directory, followers, () => void goLive());
}
