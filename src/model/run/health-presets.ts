import type { Thresholds } from './health.js';

export const presetNames = ['conservative', 'aggressive', 'production'] as const;

export type PresetName = (typeof presetNames)[number];

export const defaultPreset: PresetName = 'production';

/** Values that all presets share. */
const common = {
  sampleMs: 5_000,
  activityMs: 60_000,
  confirmMs: 600_000,
  networkPatienceMs: 600_000,
  proofSamples: 3,
};

/** Any value can be overridden. */
export const presets: Record<PresetName, Thresholds> = {
  conservative: { ...common, silenceMs: 600_000, cpuPercent: 0.5, ioBytes: 10_240, escalateMs: 120_000 },
  aggressive: { ...common, silenceMs: 300_000, cpuPercent: 1, ioBytes: 1_024, escalateMs: 60_000 },
  production: { ...common, silenceMs: 300_000, cpuPercent: 0.5, ioBytes: 5_120, escalateMs: 90_000 },
};
