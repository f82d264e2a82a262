import { fc } from '@fast-check/vitest';
import { healths } from '../../../src/model/run/health.js';
import { outcomes, type RunReport } from '../../../src/model/run/run.js';
import { certainties, verdictKinds } from '../../../src/model/verdict.js';
import { reportWith, stuckDiagnosis, why } from './sample-report.js';

/** Pieces that break formats, among all the characters there are and are not (lone surrogates). */
const piece = fc.oneof(
  fc.constantFrom(
    ...['\0', '\u001b[31m', '`', '```', '~~~', ']]>', '<![CDATA[', '<script>', '</details>', '&', '"', "'"],
    ...[
      '\n',
      '\r',
      '\r\n',
      '\t',
      '|',
      '\\',
      '# ',
      '- ',
      '1. ',
      '    ',
      '***',
      '[a](b)',
      '![a](b)',
      '<!--',
      '-->',
    ],
    ...[
      '\ud800',
      '\udc00',
      '\ufffe',
      '\uffff',
      '\u0085',
      '\u2028',
      '\u202e',
      '😀',
      '%',
      '::',
      ',',
      '=',
      '@x',
    ],
    ...['https://evil.example', 'www.evil.example', '$x$', ':+1:'],
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

export const anyText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

const lines = fc.array(anyText, { maxLength: 6 });
const count = fc.nat();
const verdict = fc.record({
  kind: fc.constantFrom(...verdictKinds),
  certainty: fc.constantFrom(...certainties),
  pid: count,
  command: anyText,
  reason: anyText,
  evidence: lines,
  next: lines,
});
const process = fc.record({ pid: count, command: anyText });

const answer = fc.record({
  target: fc.constant(why.target),
  verdict,
  chain: fc.array(fc.record({ pid: count, command: anyText, waitsFor: anyText }), { maxLength: 4 }),
  processes: fc.constant(why.processes),
  absent: fc.constant([]),
  stillMs: fc.constant(null),
  tookMs: count,
  at: anyText,
});

const receipt = fc.record({
  at: anyText,
  tookMs: count,
  rounds: count,
  processes: fc.array(
    fc.record({
      pid: count,
      startTicks: count,
      command: anyText,
      because: fc.constant<['group']>(['group']),
      signals: lines,
      result: fc.constantFrom('ended', 'survived', 'not-permitted', 'identity-unproven'),
    }),
    { maxLength: 3 },
  ),
  survivors: fc.array(count, { maxLength: 3 }),
  ports: fc.array(fc.record({ port: count, free: fc.boolean() }), { maxLength: 3 }),
});

const attempt = fc.record({
  id: anyText,
  startedAt: anyText,
  elapsedMs: count,
  outcome: fc.constantFrom(...outcomes),
  exitCode: fc.nat(255),
  lastLines: lines,
  files: lines,
  status: anyText,
  reason: anyText,
  report: fc.option(anyText),
});

/** A report with any text wherever there is text, and any outcome. */
export const anyReport: fc.Arbitrary<RunReport> = fc
  .record({
    id: anyText,
    label: anyText,
    command: anyText,
    cwd: anyText,
    startedAt: anyText,
    elapsedMs: count,
    outcome: fc.constantFrom(...outcomes),
    exit: fc.record({
      code: fc.option(fc.nat(255)),
      signal: fc.option(anyText),
      provenance: fc.constantFrom('observed', 'recorded', 'inferred', 'unknown'),
    }),
    exitCode: fc.nat(255),
    diagnosis: fc.option(
      fc.record({ reason: anyText, evidence: lines, health: fc.constantFrom(...healths) }),
    ),
    why: fc.option(answer),
    receipt: fc.option(receipt),
    leftBehind: fc.array(process, { maxLength: 3 }),
    progress: fc.option(fc.record({ text: anyText, fraction: fc.constant(null), etaMs: fc.constant(null) })),
    phase: fc.option(anyText),
    history: fc.array(fc.record({ atMs: count, health: fc.constantFrom(...healths), reason: anyText }), {
      maxLength: 3,
    }),
    lastLines: lines,
    files: lines,
    warnings: lines,
    attempts: fc.array(attempt, { maxLength: 2 }),
    isFlaky: fc.boolean(),
  })
  .map(({ diagnosis, attempts, isFlaky, ...rest }) =>
    reportWith({
      ...rest,
      ...(attempts.length > 0 && { attempts, ...(isFlaky && { flaky: true }) }),
      diagnosis: diagnosis === null ? null : { ...stuckDiagnosis, ...diagnosis },
    } as Partial<RunReport>),
  );
