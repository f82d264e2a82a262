// Keeps what V8 compiles of the quick bundles (src/cli/load-bundle.ts): most of their start-up would be compiling.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const usesMaxMs = 20_000;

/** What each of them is mostly used for: only what has run by then is kept. */
const uses = [
  { flags: [], words: ['run', '--', 'true'], input: '' },
  { flags: [], words: ['why', String(process.pid)], input: '' },
  // V8 takes nothing that was compiled with other flags: these are in src/control/client/start-daemon.ts (a test compares).
  {
    flags: ['--no-memory-reducer', '--max-semi-space-size=2', '--expose-gc'],
    words: ['daemon', 'run'],
    input: '',
  },
  {
    flags: [],
    words: ['hook', 'event', 'claude'],
    input: '{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"true"}}',
  },
  {
    flags: [],
    words: ['mcp'],
    input: [
      {
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'build', version: '1' },
        },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
    ]
      .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      .join(''),
  },
];

/** Runs before the command line and writes what was compiled at its end; `vm` is what the bundles are loaded by. */
const shim = `const fs=require('node:fs'),path=require('node:path'),vm=require('node:vm'),{Script}=vm;
vm.Script=class extends Script{constructor(source,options){super(source,options);
const file=path.join(path.dirname(process.argv[1]),options.filename.replace(/cjs$/,'cache'));
process.once('exit',()=>fs.writeFileSync(file,this.createCachedData()));}};`;

/**
 * Without a cache everything works, a little later.
 * @param {string} dist
 * @param {string[]} files
 * @returns {string[]} the files written
 */
export function makeCodeCaches(dist, files) {
  const home = mkdtempSync(join(tmpdir(), 'unstuck-build-'));
  try {
    const first = join(home, 'shim.cjs');
    writeFileSync(first, shim);
    for (const { flags, words, input } of uses) {
      spawnSync(process.execPath, [...flags, '--require', first, join(dist, 'cli.cjs'), ...words], {
        input,
        env: {
          PATH: process.env.PATH,
          HOME: home,
          UNSTUCK_HOME: join(home, 'state'),
          UNSTUCK_DAEMON_IDLE: '100ms',
        },
        stdio: ['pipe', 'ignore', 'ignore'],
        timeout: usesMaxMs,
      });
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return files
    .filter((name) => name.startsWith('chunks/') && name.endsWith('.cjs'))
    .map((name) => name.replace(/cjs$/, 'cache'))
    .filter((name) => existsSync(join(dist, name)));
}
