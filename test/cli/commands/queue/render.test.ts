import { describe, expect, it } from 'vitest';
import { jobLine, jobLines } from '../../../../src/cli/commands/queue/render.js';
import { type JobState, newJob } from '../../../../src/fleet/queue/job.js';

const at = '2026-01-01T00:00:00.000Z';
const evil = '\u001b[2J\u0007gone\nnext';
const id = 'job_0123456789ab';
const order = { id, queue: 'q', needs: [], againIfLost: false, addedAt: at, addedBy: evil };

describe('a job as a line', () => {
  const states: JobState[] = [
    { is: 'lost', host: 'a', lostAt: at, reason: evil },
    { is: 'ended', host: 'a', endedAt: at, reason: evil },
    { is: 'ended', host: 'a', endedAt: at, exit: { code: null, signal: evil, provenance: 'recorded' } },
  ];

  it.each(states)('has no words of another machine that control a terminal: $is', (state) => {
    const job = { ...newJob({ ...order, command: [evil] }), state };
    for (const line of [jobLine(job), ...jobLines([job], true)]) expect(line).not.toMatch(/[\u0000-\u001f]/);
  });
});
