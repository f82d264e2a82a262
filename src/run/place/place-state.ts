/** A process of a run, as the place sees it. */
export interface ProcessThere {
  pid: number;
  startTicks: number;
  isAlive: boolean;
}

/** What the files of a run in a place and the processes there show at one moment. */
export type PlaceState =
  /** The place has no files of the run. */
  | { kind: 'gone' }
  | {
      kind: 'known';
      isClaimed: boolean;
      shim: ProcessThere | null;
      leader: ProcessThere | null;
      /** null: no end is recorded. */
      exit: number | null;
      /** The shell there has named a signal that ended the command. */
      hasSignal: boolean;
      /** Bytes of input that the command got. */
      inputAt: number;
      /** As in the file of this name. */
      unlogged: string;
    };

/** The fields of a state frame. Throws an Error for fields that no session sends. */
export function parsePlaceState(fields: readonly string[]): PlaceState {
  const [claimed = '', shim = '', leader = '', exit = '', said = '', inputAt = '', ...unlogged] = fields;
  if (claimed === 'gone' && fields.length === 1) return { kind: 'gone' };
  if (!/^[01]$/.test(claimed) || !/^[01]$/.test(said)) throw new Error(`a state of ${fields.length} fields`);
  return {
    kind: 'known',
    isClaimed: claimed === '1',
    shim: parseProcess(shim),
    leader: parseProcess(leader),
    exit: /^\d{1,3}$/.test(exit) ? Number(exit) : null,
    hasSignal: said === '1',
    inputAt: /^\d{1,15}$/.test(inputAt) ? Number(inputAt) : 0,
    unlogged: unlogged.join(' '),
  };
}

function parseProcess(text: string): ProcessThere | null {
  const [, pid, startTicks, alive] = /^(\d{1,10}):(\d{1,15}):([01])$/.exec(text) ?? [];
  if (pid === undefined) return null;
  return { pid: Number(pid), startTicks: Number(startTicks), isAlive: alive === '1' };
}
