export { type BackgroundOptions, background } from './control/background.js';
export { type DoctorReport, doctor } from './control/doctor.js';
export {
  type FollowNoticesOptions,
  followNotices,
  type GivenNotice,
  type NoticeStream,
} from './control/follow-notices.js';
export type { OperationInput, OperationName, OperationOutput } from './control/operations/table.js';
export { type RunOptions, run } from './control/run-command.js';
export { loadSnapshot, saveSnapshot } from './control/snapshots.js';
export type { WhyOptions } from './control/why.js';
export { why, whyWithSnapshot } from './control/why.js';
export { whySnapshot } from './control/why-snapshot.js';
export type { Capability } from './model/capability.js';
export { Failure, type FailureCode } from './model/failure.js';
export type { Diagnosis, Health, TreeSample } from './model/health.js';
export type { Receipt } from './model/receipt.js';
export type { Exit, Heartbeat, Outcome, Progress, RunEvent, RunReport } from './model/run.js';
export type { Snapshot } from './model/snapshot.js';
export type {
  AbsentFact,
  Certainty,
  ChainLink,
  ProcessSummary,
  Verdict,
  VerdictKind,
  WhyAnswer,
  WhyResult,
} from './model/verdict.js';
