// The processes that belong to a run.
export {
  type KnownMember,
  type Member,
  MemberScan,
  type MemberScanOptions,
  type ScanOptions,
} from './linux/members/members.js';
export { type Census, type KnownMarks, takeCensus } from './linux/members/process-census.js';
export { readMark } from './linux/members/run-marks.js';
export { RunTable } from './linux/members/run-table.js';
