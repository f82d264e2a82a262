import type { MakeJudge } from './judge.js';

/** As CI services do it: nothing printed for ten minutes. */
export const noOutput: MakeJudge = ({ noOutputMs }) => ({
  look: ({ nowMs, lastOutputMs }) => (nowMs - lastOutputMs >= noOutputMs ? null : undefined),
});
