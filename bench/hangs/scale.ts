/**
 * Every time constant of every judge is divided by the same factor. In the whole benchmark two seconds stand for a
 * minute, in the short form one does.
 */
export interface Scale {
  factor: number;
  /** How long a healthy case is watched. */
  watchMs: number;
  /** How long everybody has to see a hang; the case ends when all have. */
  hangMs: number;
  sampleMs: number;
  activityMs: number;
  silenceMs: number;
  escalateMs: number;
  confirmMs: number;
  networkPatienceMs: number;
  heartbeatMs: number;
  armAfterMs: number;
  lingerMs: number;
  /** What CI services allow: ten minutes without output. */
  noOutputMs: number;
  /** A last line that looks like a question, or a blocked read, counts when it has not changed for this long. */
  promptMs: number;
  /** Of the paused machine. */
  pauseMs: number;
  cpuPercent: number;
  /** Fewer bytes in the shorter window are the same rate. */
  ioBytes: number;
  proofSamples: number;
}

const second = 1000;
const minute = 60 * second;

/** The defaults of `unstuck run`, and ten minutes as CI services have it. */
export function scaleBy(factor: number, watchMs: number, hangMs: number): Scale {
  const scaled = (ms: number) => Math.round(ms / factor);
  return {
    factor,
    watchMs,
    hangMs,
    sampleMs: scaled(5 * second),
    activityMs: scaled(minute),
    silenceMs: scaled(5 * minute),
    escalateMs: scaled(1.5 * minute),
    confirmMs: scaled(10 * minute),
    networkPatienceMs: scaled(10 * minute),
    heartbeatMs: scaled(minute),
    armAfterMs: scaled(6 * minute),
    lingerMs: scaled(2 * second),
    noOutputMs: scaled(10 * minute),
    promptMs: scaled(15 * second),
    pauseMs: scaled(5 * minute),
    cpuPercent: 0.5,
    ioBytes: Math.round(5120 / factor),
    proofSamples: 3,
  };
}

/** 13 minutes each, of a hang up to 20: the slowest judges need ten from the last sign of life. */
export const wholeScale = scaleBy(30, 26_000, 40_000);

/** Nothing is divided. What can be proven is reported long before the end. */
export const realScale = scaleBy(1, 60_000, 90_000);

/**
 * 8 minutes each: past the silence, and past the time after which Unstuck says it with high confidence. On a loaded
 * machine a hang may take longer to begin, and to be seen; how long says nothing here.
 */
export const quickScale = scaleBy(60, 8_000, 40_000);

/** The options of `unstuck run` that set these times. */
export function flagsOf(scale: Scale): string[] {
  const durations: Record<string, number> = {
    sample: scale.sampleMs,
    'activity-window': scale.activityMs,
    silence: scale.silenceMs,
    escalate: scale.escalateMs,
    confirm: scale.confirmMs,
    'network-patience': scale.networkPatienceMs,
    heartbeat: scale.heartbeatMs,
    'arm-after': scale.armAfterMs,
    linger: scale.lingerMs,
  };
  return [`--io=${scale.ioBytes}`, ...Object.entries(durations).map(([name, ms]) => `--${name}=${ms}ms`)];
}
