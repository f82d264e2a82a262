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

/** A kind of line that reports the progress of a tool. */
export interface Recogniser {
  tool: string;
  phase?: Phase;
  /**
   * measure: groups `done` and `total` (or `sum`, several numbers that add up to what is done), or `percent`. item: a
   * further item is done, called `name`. total: the number of items that will follow. sign: the tool moves on as long
   * as `name` (or the line) changes, without a measure. end: the tool is through, whatever its last number was. A group
   * `series` distinguishes several bars of one tool.
   */
  says: 'measure' | 'item' | 'total' | 'sign' | 'end';
  /** What the items are. */
  unit?: string;
  /** detail: progress inside one step. weak: may be no progress at all; believed only when it keeps rising. */
  rank?: 'detail' | 'weak';
  /** Steps are reported out of order: only a new maximum counts. */
  unordered?: true;
  /** Linear in the length of the line: anchored or bounded, no quantifier inside another. */
  pattern: RegExp;
  /** Lines as the tool prints them. The tests check every row against its own examples. */
  examples: string[];
}
