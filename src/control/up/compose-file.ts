import type { RestartPolicyInput } from '../../model/operations/inputs.js';
import type { Fields } from './fields.js';
import { bad, parallelDefault, type Ready, readyMsDefault, type Service, type UpPlan } from './up-plan.js';

const conditions = [
  'process_started',
  'process_healthy',
  'process_log_ready',
  'process_completed',
  'process_completed_successfully',
] as const;

/** The common part of a process-compose file. What it asks for and Unstuck does not do is refused. */
export function fromCompose(top: Fields): UpPlan {
  top.skip('version');
  const shared = top.variables('environment');
  const completed = new Set<string>();
  const services = top
    .need('processes')
    .entries()
    .flatMap(([name, fields]) => {
      const isDisabled = fields.truth('disabled') === true;
      fields.skip('description', 'namespace');
      const made: Service = {
        name,
        command: fields.command('command'),
        cwd: fields.text('working_dir') ?? null,
        env: { ...shared, ...fields.variables('environment') },
        after: afterOf(fields, completed),
        ...readyOf(fields),
        restart: restartOf(fields.optional('availability')),
      };
      fields.end();
      return isDisabled ? [] : [made];
    });
  top.end();
  // Another process waits for its end: that is when it is ready.
  for (const one of services) if (completed.has(one.name)) one.ready = { kind: 'exit' };
  return { services, parallel: parallelDefault };
}

function afterOf(fields: Fields, completed: Set<string>): string[] {
  const wanted = fields.optional('depends_on')?.entries() ?? [];
  return wanted.map(([name, how]) => {
    const condition = how.choice('condition', conditions);
    how.end();
    if (condition?.startsWith('process_completed')) completed.add(name);
    return name;
  });
}

function readyOf(fields: Fields): { ready: Ready; readyMs: number } {
  const line = fields.pattern('ready_log_line');
  const probe = fields.optional('readiness_probe');
  if (probe === null) {
    return {
      ready: line === undefined ? { kind: 'started' } : { kind: 'match', match: line },
      readyMs: readyMsDefault,
    };
  }
  probe.skip(
    'initial_delay_seconds',
    'period_seconds',
    'timeout_seconds',
    'success_threshold',
    'failure_threshold',
  );
  const get = probe.optional('http_get');
  if (get === null) {
    throw bad(fields.file, 'a readiness_probe without http_get is not supported', 'use ready_log_line');
  }
  get.skip('host', 'path', 'scheme');
  const port = get.whole('port', 1, 65_535);
  get.end();
  probe.end();
  if (port === undefined) throw bad(fields.file, 'a readiness_probe has no port', 'add http_get.port');
  return { ready: { kind: 'port', port }, readyMs: readyMsDefault };
}

function restartOf(fields: Fields | null): RestartPolicyInput | null {
  if (fields === null) return null;
  const on = fields.choice('restart', ['no', 'on_failure', 'always']);
  const max = fields.whole('max_restarts', 0, 1_000_000);
  const delayS = fields.whole('backoff_seconds', 1, 60);
  fields.end();
  if (on === undefined || on === 'no') return null;
  return {
    on: on === 'always' ? 'always' : 'on-failure',
    ...(max !== undefined && max > 0 && { max }),
    ...(delayS !== undefined && { delayS }),
  };
}
