import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTool } from '../../test/support/find-tool.js';

const fetchMsMax = 10 * 60 * 1000;

/** The source of an installed package, or why it cannot be had. */
export type Source = { dir: string; version: string } | { why: string };

function output(file: string, args: string[], cwd?: string): string | null {
  const { status, stdout } = spawnSync(file, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
    timeout: fetchMsMax,
  });
  return status === 0 ? stdout : null;
}

/** Lines such as ` 500 http://mirror/debian bookworm/main amd64 Packages`: the archives that have the package. */
export function sourceLines(policy: string): string[] {
  const places = policy.matchAll(/^\s+\d+ (\w+:\/\/\S+) (\S+)\/(\S+) \S+ Packages$/gm);
  return [...new Set([...places].map(([, uri, suite, part]) => `deb-src ${uri} ${suite} ${part}`))];
}

/**
 * Fetches the source of the version that is installed, from the archives that are configured, and keeps it in `cache`.
 * Lists and packages of the system are not touched, so this needs no root.
 */
export function fetchSource(name: string, cache: string): Source {
  const absent = ['apt-get', 'apt-cache', 'dpkg-query', 'dpkg-source'].find(
    (tool) => findTool(tool) === null,
  );
  if (absent !== undefined)
    return { why: `its tests are in its source, and there is no ${absent} to fetch it` };
  const version = output('dpkg-query', ['-W', '-f', `\${source:Version}`, name]);
  if (version === null) return { why: 'it is not installed from a package' };
  const home = join(cache, `${name}-${version}`);
  const dir = join(home, 'source');
  if (existsSync(dir)) return { dir, version };
  const lines = sourceLines(output('apt-cache', ['policy', name]) ?? '');
  if (lines.length === 0)
    return { why: 'no archive with its package is configured, or apt-get update was never run' };
  mkdirSync(join(home, 'lists/partial'), { recursive: true });
  writeFileSync(join(home, 'sources.list'), `${lines.join('\n')}\n`);
  const options = [
    ...['-o', `Dir::Etc::sourcelist=${join(home, 'sources.list')}`, '-o', 'Dir::Etc::sourceparts=-'],
    ...['-o', `Dir::State::lists=${join(home, 'lists')}`, '-o', `Dir::Cache=${home}`],
  ];
  if (output('apt-get', [...options, 'update']) === null)
    return { why: 'the lists of sources cannot be fetched' };
  if (output('apt-get', [...options, 'source', '--download-only', `${name}=${version}`], home) === null)
    return { why: `the archive does not have the source of version ${version}` };
  const [description = ''] = readdirSync(home).filter((file) => file.endsWith('.dsc'));
  const unpacked = output('dpkg-source', ['--no-check', '-x', description, dir], home);
  return unpacked === null ? { why: 'its source cannot be unpacked' } : { dir, version };
}
