import type { Snapshot } from '../../model/snapshot.js';
export function parseSnapshot(text: string, _file: string): Snapshot {
  return JSON.parse(text) as Snapshot;
}
