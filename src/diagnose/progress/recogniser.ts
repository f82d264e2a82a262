/** What a run is busy with. */
export type Phase =
  | 'configure'
  | 'compile'
  | 'link'
  | 'bundle'
  | 'build'
  | 'test'
  | 'install'
  | 'download'
  | 'upload'
  | 'archive'
  | 'deploy';

/** One kind of line that says how far a tool is. */
export interface Recogniser {
  tool: string;
  phase?: Phase;
  /**
   * measure: groups `done` and `total` (or `sum`, several numbers that add up to what is done), or `percent`.
   * item: one more is done, the one called `name`.
   * total: so many items will follow.
   * sign: it moves on as long as `name` (or the line) changes, without saying how far it is.
   * end: the tool is through, whatever its last number was.
   * A group `series` tells several bars of one tool apart.
   */
  says: 'measure' | 'item' | 'total' | 'sign' | 'end';
  /** What the items are. */
  unit?: string;
  /** detail: progress inside one step. weak: may as well be no progress at all; believed only when it keeps rising. */
  rank?: 'detail' | 'weak';
  /** Steps are reported out of order: only a new highest one counts. */
  unordered?: true;
  /** Linear in the length of the line: anchored or bounded, no quantifier inside another. */
  pattern: RegExp;
  /** Lines as the tool prints them. The tests hold every row to its own. */
  examples: string[];
}
