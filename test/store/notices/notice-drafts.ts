import type { Notice, NoticeDraft } from '../../../src/model/notice.js';

export const runId = 'run_0123456789ab';

export function draft(key: string, more: Partial<NoticeDraft> = {}): NoticeDraft {
  return {
    key,
    kind: 'match',
    runId,
    label: 'build',
    task: null,
    owner: null,
    tags: [],
    text: `something about ${key}`,
    output: 'one\ntwo\n',
    suppressed: 0,
    ...more,
  };
}

export function notice(seq: number, more: Partial<NoticeDraft> = {}): Notice {
  return { ...draft(`k${seq}`, more), seq, at: new Date(0).toISOString() };
}
