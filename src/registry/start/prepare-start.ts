import os from 'node:os';
import path from 'node:path';
import { resolveRunSettings } from '../../config/resolve.js';
import type { RunSettings } from '../../config/run-settings.js';
import { readPatterns, settleWishes } from '../../diagnose/notices/pattern.js';
import { Failure } from '../../model/failure.js';
import type { NoticeEvent, NoticeWishes } from '../../model/notice.js';
import { placeText } from '../../model/place.js';
import type { BackgroundRecord, InputKind, PlaceRecord } from '../../model/run/background.js';
import type { RestartPolicy, RestartRecord } from '../../model/run/restart-record.js';
import { parseWebhookUrl } from '../../notices/webhook-url.js';
import { clientEnv } from '../../places/client-words.js';
import { findPlace } from '../../places/find-place.js';
import { parsePlace } from '../../places/parse-place.js';
import { shownPlace } from '../../places/shown-place.js';
import { redact } from '../../redact/redact.js';
import { AgentMonitor } from '../../run/health/agent-monitor.js';
import { denyEnv } from '../../run/launch/env-deny.js';
import { loginShellCommand } from '../../run/launch/login-shell.js';
import { commandEnv, commandLine, labelOf, shellLine } from '../../run/prepare.js';
import { type LeaseRequest, leaseOf } from '../lease/owner.js';

/** A `start` request. Only its form is checked. */
export interface StartRequest {
  command: string | string[];
  /** The place to run in; absent: this machine. */
  on?: string | undefined;
  cwd?: string | undefined;
  env: Record<string, string>;
  inherit?: Record<string, string> | undefined;
  umask?: number | undefined;
  openFiles?: number | undefined;
  envDeny: string[];
  label?: string | undefined;
  task?: string | undefined;
  owner?: string | undefined;
  tags: string[];
  input: InputKind;
  options: Record<string, unknown>;
  notify?: NotifyRequest | undefined;
  lease?: LeaseRequest | undefined;
  restart?: RestartRequest | undefined;
  /** The attempt of a chain that this start is; absent: the first. */
  inChain?: Pick<RestartRecord, 'chain' | 'attempt' | 'failures'> | undefined;
}

export interface RestartRequest {
  on: RestartPolicy['on'];
  max: number;
  delayS: number;
}

export interface NotifyRequest {
  events: NoticeEvent[];
  patterns: string[];
  everyS: number;
  command?: string | undefined;
  webhook?: { url: string; secretFile?: string | undefined } | undefined;
}

/** A start that is ready to be launched. */
export interface PreparedStart {
  argv: string[];
  env: NodeJS.ProcessEnv;
  umask: number | undefined;
  openFiles: number | undefined;
  cwd: string;
  label: string;
  /** Secrets masked. */
  shown: string;
  settings: RunSettings;
  background: BackgroundRecord;
  /** Parts of the request that are valid but may not mean what was intended. */
  warnings: string[];
}

const emptyHint = 'name one: unstuck start -- npm run dev';

/** `routed`: events that routes ask for. Throws a Failure for a request that cannot be started. */
export function prepareStart(request: StartRequest, routed: readonly NoticeEvent[] = []): PreparedStart {
  const { command } = request;
  if (command.length === 0 || (typeof command === 'string' ? command.trim() : command[0]) === '') {
    throw new Failure('bad-input', 'no command given', emptyHint);
  }
  checkText(request);
  const home = os.homedir() || '/';
  const cwd = request.cwd ?? home;
  if (!path.isAbsolute(cwd)) {
    throw new Failure(
      'bad-input',
      `cwd is ${JSON.stringify(cwd)}, which is relative`,
      'give an absolute path',
    );
  }
  const inherited = request.inherit ?? process.env;
  const on = placeOf(request, inherited);
  const { settings, origins, projectLimits } = resolveRunSettings({
    // The directory of another place has no project file here.
    flags: on === null ? request.options : { ...request.options, projectFile: false },
    env: inherited,
    cwd: on === null ? cwd : home,
    home: inherited.HOME ?? null,
  });
  const words = typeof command === 'string' ? command.trim().split(/\s+/) : command;
  // A command in another place has the environment of the place.
  const given = denyEnv({ ...(on === null && inherited), ...request.env }, request.envDeny);
  const env = commandEnv(
    AgentMonitor.of(words, settings)?.quietEnv(given) ?? given,
    // The input can be answered, so questions need not be prevented.
    settings.quietEnv && request.input === 'none',
  );
  const chosen = origins.filter(({ origin }) => origin !== 'default' && origin !== 'preset');
  const { notify, warnings } = wishesOf(withRouted(request.notify, routed));
  return {
    argv: typeof command !== 'string' ? command : on === null ? loginShellCommand(command, env) : [],
    env,
    umask: request.umask,
    openFiles: request.openFiles,
    cwd: on === null ? cwd : `${shownPlace(parsePlace(on.place))}:${request.cwd ?? '~'}`,
    label: redact(request.label ?? settings.label ?? labelOf(words)),
    shown: typeof command === 'string' ? shellLine(command) : commandLine(command),
    settings,
    background: {
      owner: request.owner ?? null,
      task: request.task ?? null,
      tags: request.tags.map(redact),
      input: request.input,
      options: Object.fromEntries(chosen.map(({ key, value }) => [key, value])),
      notify,
      lease: request.lease === undefined ? null : leaseOf(request.lease),
      ...(on !== null && { on }),
    },
    warnings: [...(projectLimits === null ? [] : [projectLimits.message]), ...warnings],
  };
}

/** null: this machine. The client gets the variables of the caller, not those of the daemon. */
function placeOf({ on, restart }: StartRequest, env: NodeJS.ProcessEnv): PlaceRecord | null {
  if (on === undefined) return null;
  if (restart !== undefined) {
    throw new Failure('bad-input', '--restart cannot be combined with --on', 'leave out one of them');
  }
  return { place: placeText(findPlace(on, env)), env: clientEnv(env) };
}

/** A run with patterns is not notified of its end, as that would drop the patterns. */
function withRouted(
  asked: NotifyRequest | undefined,
  routed: readonly NoticeEvent[],
): NotifyRequest | undefined {
  if (routed.length === 0) return asked;
  const { events = [], patterns = [], everyS = 0, ...targets } = asked ?? {};
  const more = patterns.length === 0 ? routed : routed.filter((event) => event !== 'exit');
  return { ...targets, events: [...events, ...more], patterns, everyS };
}

/** The requested notices, checked now, because a fault would not be noticed later. */
function wishesOf(asked: NotifyRequest | undefined): { notify: NoticeWishes | null; warnings: string[] } {
  if (asked === undefined) return { notify: null, warnings: [] };
  const { events, patterns, everyS, command = null, webhook } = asked;
  readPatterns(patterns);
  if (webhook !== undefined) parseWebhookUrl(webhook.url);
  if (webhook?.secretFile !== undefined && !path.isAbsolute(webhook.secretFile)) {
    throw new Failure('bad-input', 'the file with the secret has a relative path', 'give an absolute one');
  }
  const { wishes, warning } = settleWishes({
    events: [...new Set(events)],
    patterns,
    everyMs: Math.round(everyS * 1000),
    command,
    webhook: webhook === undefined ? null : { url: webhook.url, secretFile: webhook.secretFile ?? null },
  });
  return { notify: wishes, warnings: warning === null ? [] : [warning] };
}

/** Refuses text that no program can be given. */
function checkText({ command, env, inherit = {}, cwd = '' }: StartRequest): void {
  const words = typeof command === 'string' ? [command] : command;
  const texts = [...words, cwd, ...Object.entries({ ...inherit, ...env }).flat()];
  if (texts.some((text) => text.includes('\0'))) {
    throw new Failure('bad-input', 'an argument or a variable contains a NUL byte', 'leave it out');
  }
  const name = Object.keys(env).find((key) => key === '' || key.includes('='));
  if (name !== undefined) {
    throw new Failure(
      'bad-input',
      `${JSON.stringify(name)} is not the name of a variable`,
      'write NAME=VALUE',
    );
  }
}
