/// <reference types="node" preserve="true" />
export { type BackgroundOptions, background } from './control/background.js';
export { type DoctorReport, doctor } from './control/doctor.js';
export type { WhyOnOptions } from './control/elsewhere/why-on.js';
export { whyOn } from './control/elsewhere/why-on.js';
export {
  type FleetDoctorReport,
  type FleetEvent,
  type FleetEventOptions,
  type FleetHost,
  type FleetJob,
  type FleetJoin,
  type FleetList,
  type FleetLogin,
  type FleetOptions,
  type FleetRun,
  fleet,
  type GivenEvent,
  type JobRequest,
  type QueueSettings,
} from './control/fleet/fleet.js';
export {
  type FollowNoticesOptions,
  followNotices,
  type NoticeStream,
} from './control/follow-notices.js';
export {
  type CommandHistory,
  forgetHistory,
  type HistoryOptions,
  history,
} from './control/history/history.js';
export {
  type FindOrphansOptions,
  findOrphans,
  type KillOrphansOptions,
  killOrphans,
  killPort,
} from './control/orphans/orphans.js';
export { type Tracked, type TrackOptions, track } from './control/orphans/track.js';
export { type OrphanWatch, type WatchOrphansOptions, watchOrphans } from './control/orphans/watch-orphans.js';
export { type RunOptions, run } from './control/run-command.js';
export { loadSnapshot, saveSnapshot } from './control/snapshots.js';
export { type MonitorOptions, monitor } from './control/watchdog/monitor.js';
export { type SupervisedChild, supervise } from './control/watchdog/supervise-child.js';
export {
  logTo,
  type WatchdogLogger,
  type WatchedChild,
  type WatchedTransport,
  type WatchOptions,
  type WatchTarget,
  watch,
} from './control/watchdog/watch.js';
export type { WhyOptions } from './control/why.js';
export { why, whyWithSnapshot } from './control/why.js';
export { whySnapshot } from './control/why-snapshot.js';
export { parseAgentStream } from './diagnose/agents/parse-agent-stream.js';
export type { AgentProfile } from './diagnose/agents/profile.js';
export { agentProfiles } from './diagnose/agents/profiles.js';
export type { Capability } from './model/facts/capability.js';
export type { Snapshot } from './model/facts/snapshot.js';
export { Failure, type FailureCode } from './model/failure.js';
export type { MonitorEvent, MonitorHeartbeat, ProcessMonitor } from './model/monitor.js';
export type { CommandOptions, Duration, Size } from './model/operations/command-options.js';
export type * from './model/operations/inputs.js';
export type { OperationInput, OperationName, OperationOutput } from './model/operations/operations.js';
export type * from './model/operations/outputs.js';
export type {
  Orphan,
  OrphanEvent,
  OrphanKill,
  OrphanResult,
  OrphanWatchStatistics,
} from './model/orphan.js';
export type { AgentEvent, AgentFacts, AgentName } from './model/run/agent.js';
export type { Diagnosis, Health, HealthMetrics, TreeSample } from './model/run/health.js';
export type { PastRun } from './model/run/past-run.js';
export type { Receipt } from './model/run/receipt.js';
export type {
  Exit,
  FailedAttempt,
  HealthChange,
  Heartbeat,
  Outcome,
  Progress,
  RunEvent,
  RunReport,
} from './model/run/run.js';
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
export {
  type TimeoutCause,
  type Watchdog,
  type WatchdogEvent,
  type WatchdogOutcome,
  type WatchdogState,
  WatchdogTimeoutError,
} from './model/watchdog.js';
