import fs from 'node:fs';
import path from 'node:path';
import type { RunReport } from '../../model/run/run.js';
import { makeDirectory } from '../../store/files.js';
import { jsonText } from '../../text/json-text.js';
import { renderJunit } from './render-junit.js';
import { renderMarkdown } from './render-markdown.js';

const ownerOnlyMode = 0o600;
/** Reduced by the umask. */
const usualMode = 0o666;

/** A device or a pipe is written to, never replaced. A pipe without a reader must not block. */
function writeThrough(file: string, text: string): void {
  const { O_WRONLY, O_APPEND, O_NONBLOCK } = fs.constants;
  const fd = fs.openSync(file, O_WRONLY | O_APPEND | O_NONBLOCK);
  try {
    fs.writeFileSync(fd, text);
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * File names of this process's own descriptors. The file behind a descriptor belongs to its opener and is not replaced.
 */
const ownDescriptors = /^\/(dev\/(stdout|stderr|fd\/\d+)|proc\/(self|thread-self|\d+)\/fd\/\d+)$/;

/** Writes a file completely or not at all. Makes its directory if needed. */
export function writeWhole(file: string, text: string, ownerOnly: boolean): void {
  const there = fs.statSync(file, { throwIfNoEntry: false });
  if (there !== undefined && (!there.isFile() || ownDescriptors.test(path.resolve(file)))) {
    writeThrough(file, text);
    return;
  }
  // Writes through a symbolic link, so that the link stays.
  const target = there === undefined ? path.resolve(file) : fs.realpathSync(file);
  const temporary = `${target}.${process.pid}.tmp`;
  makeDirectory(path.dirname(target));
  try {
    fs.writeFileSync(temporary, text, { mode: ownerOnly ? ownerOnlyMode : usualMode, flag: 'wx' });
    fs.renameSync(temporary, target);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Appends to a file that other processes write to as well; false: it would grow beyond `bytesMax`. */
export function appendWithin(file: string, text: string, bytesMax: number): boolean {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const added = size === 0 ? text : `\n${text}`;
  if (size + Buffer.byteLength(added) > bytesMax) return false;
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = fs.constants;
  const fd = fs.openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, usualMode);
  try {
    fs.writeFileSync(fd, added);
  } finally {
    fs.closeSync(fd);
  }
  return true;
}

/** The files to write. No file is written unless it is requested. */
export interface ReportTargets {
  json?: string | undefined;
  junit?: string | undefined;
  markdown?: string | undefined;
  /** The value of $GITHUB_STEP_SUMMARY. The Markdown is appended to that file. */
  githubSummary?: string | undefined;
}

/** The limit of GitHub for a step. GitHub shows nothing of a larger summary. */
const githubSummaryBytesMax = 1024 * 1024;

const formats: { target: 'json' | 'junit' | 'markdown'; title: string; render(report: RunReport): string }[] =
  [
    { target: 'json', title: 'JSON report', render: (report) => `${jsonText(report, 2)}\n` },
    { target: 'junit', title: 'JUnit report', render: renderJunit },
    { target: 'markdown', title: 'Markdown report', render: renderMarkdown },
  ];

function summarize(report: RunReport, file: string): void {
  if (!appendWithin(file, renderMarkdown(report), githubSummaryBytesMax)) {
    throw new Error('it is full (1 MiB)');
  }
}

/**
 * Writes the requested files and returns a sentence for each that could not be written. It neither throws nor waits, so
 * that a signal handler can call it last.
 */
export function writeReports(
  report: RunReport,
  targets: ReportTargets,
  { ownerOnly = false }: { ownerOnly?: boolean } = {},
): string[] {
  const warnings: string[] = [];
  const attempt = (title: string, file: string | undefined, write: (file: string) => void) => {
    if (file === undefined || file === '') return;
    try {
      write(file);
    } catch (error) {
      warnings.push(`cannot write the ${title} to ${file}: ${(error as Error).message}`);
    }
  };
  for (const { target, title, render } of formats) {
    attempt(title, targets[target], (file) => writeWhole(file, render(report), ownerOnly));
  }
  attempt('summary for GitHub', targets.githubSummary, (file) => summarize(report, file));
  return warnings;
}
