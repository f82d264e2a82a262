import type { OrphanEvent } from '../model/orphan.js';
import { eventLine } from '../orphans/event-line.js';
import { appendOrphanLine } from '../store/orphan-log.js';
import { stateHome } from '../store/state-home.js';

/** F6: one line in the log of a state home, if there is one. */
export function recordOrphan(event: OrphanEvent, home = stateHome()): void {
  appendOrphanLine(home, eventLine(event));
}
