import { usualOf } from '../../../src/diagnose/history/usual.js';
import { presets } from '../../../src/model/run/health.js';
import { noNorms } from '../../../src/model/run/norms.js';
import { observe, verdictOf } from '../health/observe.js';
import { simulate, simulatedRun } from './simulated.js';

/** Waits that may last for ever, and that nothing but a history can tell from others. */
const waits = ['timer', 'lock', 'event', 'service', 'unknown'] as const;
/** Runs behind a command, in turn. */
const lengths = [5, 8, 20, 60];
/** A run takes so many times its longest silence. */
const silences = 4;

export interface SimulatedHang {
  /** Silence at the alarm; null: none came within the bound. */
  alarmMs: number | null;
  /** The stated bound. */
  latestMs: number;
  longestMs: number;
}

/**
 * A run of a command with this history prints for a while and then stops for ever. null: its runs are too scattered for a
 * judgement by silence.
 */
export function simulateHang(name: string, seed: number): SimulatedHang | null {
  const thresholds = presets.production;
  const history = simulate(name, seed, lengths[seed % lengths.length] as number);
  const runs = history.map((silenceMs, at) => simulatedRun(silences * silenceMs, silenceMs, at));
  const usual = usualOf(runs, thresholds);
  const limitMs = usual?.silence?.limitMs ?? null;
  if (usual?.silence == null || limitMs === null) return null;
  const { sampleMs, activityMs } = thresholds;
  const watched = observe(thresholds, { ...noNorms, usual });
  // It works for as long as a run may, so that only its silence is unusual.
  watched.stay(Math.max(activityMs, (seed % 3) * Math.min(...history)), { printed: true });
  const verdict = verdictOf(waits[seed % waits.length] as (typeof waits)[number]);
  const latestMs = 2 * limitMs + 2 * sampleMs;
  const found = { latestMs, longestMs: usual.silence.longestMs };
  for (let silentMs = sampleMs; silentMs <= latestMs; silentMs += sampleMs) {
    if (/stuck$/.test(watched.tick({ verdict }).health)) return { ...found, alarmMs: silentMs };
  }
  return { ...found, alarmMs: null };
}
