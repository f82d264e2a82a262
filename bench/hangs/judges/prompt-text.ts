import type { MakeJudge } from './judge.js';

const control = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007]*\u0007|[@-_])|[\u0000-\u0008\u000b-\u001f]/g;

/** What questions end with, and words that are seldom printed without asking. */
const question =
  /(?:[?:>$#%)]|>>>|\.\.\.)\s?$|\[(?:y\/n|yes\/no)[^\]]*\]|password|passphrase|username|press (?:any key|enter)|continue\?|\(y\/n\)/i;

/** As wrappers of terminals do it: the last line is unfinished and looks like a question, and nothing follows. */
export const promptText: MakeJudge = ({ promptMs }) => ({
  look({ nowMs, lastOutputMs, tail }) {
    if (nowMs - lastOutputMs < promptMs) return undefined;
    const line = tail.replace(control, '').split('\n').at(-1) ?? '';
    return line !== '' && question.test(line) ? 'needs-input' : undefined;
  },
});
