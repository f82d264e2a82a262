import type { OrphanEvent } from '../../model/orphan.js';
import { eventLine } from '../../orphans/event-line.js';
import { appendOrphanLine } from '../../store/orphan-log.js';
import { stateHome } from '../../store/state-home.js';

/** Adds one line to the orphan log of a state home, if the home exists. */
export function recordOrphan(event: OrphanEvent, home = stateHome()): void {
  appendOrphanLine(home, eventLine(event));
}
