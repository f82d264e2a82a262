import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prepareInstall, prepareUninstall } from '../../../src/control/hooks/install.js';
import { hookStatus } from '../../../src/control/hooks/status.js';
import { type HookAgent, hookAgents, toolPolicy } from '../../../src/model/tool.js';

let home: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-hooks-'));
  env = {
    HOME: home,
    UNSTUCK_HOME: path.join(home, 'state'),
    UNSTUCK_CLI: path.join(home, 'unstuck', 'cli.cjs'),
  };
  fs.mkdirSync(path.join(home, 'unstuck'));
  fs.writeFileSync(path.join(home, 'unstuck', 'cli.cjs'), '');
});

afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const files: Record<HookAgent, string> = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  opencode: '.config/opencode/plugins/unstuck.js',
};

const target = (agent: HookAgent, project: string | null = null) => ({ agent, project });
const fileOf = (agent: HookAgent) => path.join(home, files[agent]);
const read = (agent: HookAgent) => fs.readFileSync(fileOf(agent), 'utf8');

function install(agent: HookAgent, policy = {}) {
  const prepared = prepareInstall(target(agent), { ...toolPolicy, ...policy }, env);
  prepared.apply();
  return prepared.plan;
}

function uninstall(agent: HookAgent) {
  const prepared = prepareUninstall(target(agent), env);
  prepared.apply();
  return prepared.plan;
}

function write(agent: HookAgent, text: string): void {
  fs.mkdirSync(path.dirname(fileOf(agent)), { recursive: true });
  fs.writeFileSync(fileOf(agent), text);
}

const listing = () =>
  fs
    .readdirSync(home)
    .filter((name) => name !== 'state')
    .sort();

describe.each(hookAgents)('%s', (agent) => {
  test('an install is shown first, and writes only when it is applied', () => {
    const { plan } = prepareInstall(target(agent), toolPolicy, env);
    expect(plan).toMatchObject({ file: fileOf(agent), change: 'create' });
    expect(plan.lines.join('\n')).toContain(`event`);
    expect(fs.existsSync(fileOf(agent))).toBe(false);
  });

  test('uninstall removes a file that was created, with its directories', () => {
    const before = listing();
    install(agent);
    expect(hookStatus(home, env).find((one) => one.agent === agent && one.project === null)).toMatchObject({
      installed: true,
    });
    expect(uninstall(agent).change).toBe('remove');
    expect(listing()).toEqual(before);
  });

  test('a second install does nothing, another policy replaces the first', () => {
    install(agent);
    const first = read(agent);
    expect(install(agent).change).toBe('none');
    expect(read(agent)).toBe(first);
    expect(install(agent, { onStuck: 'stop' }).change).toBe('edit');
    expect(read(agent)).toMatch(/--on-stuck"?,? ?"?stop/);
    install(agent);
    expect(read(agent)).toBe(first);
    uninstall(agent);
    expect(fs.existsSync(fileOf(agent))).toBe(false);
  });

  test('uninstall without an install does nothing', () => {
    expect(uninstall(agent).change).toBe('none');
    expect(listing()).toEqual(['unstuck']);
  });
});

const odd = '// mine\r\n{ "env": {"A":   "1",},\r\n   "hooks": { "PreToolUse": [ ] } }';

describe('a settings file', () => {
  test.each([odd, '', '{}', '{"model":"x"}', '{\n    "a": [1,\n 2]\n}'])(
    'is restored exactly: %j',
    (text) => {
      write('claude', text);
      install('claude');
      expect(read('claude')).not.toBe(text);
      uninstall('claude');
      expect(read('claude')).toBe(text);
    },
  );

  test('keeps what was changed meanwhile', () => {
    write('gemini', '{\n  "theme": "dark"\n}\n');
    install('gemini');
    write('gemini', read('gemini').replace('"dark"', '"light", "more": [1]'));
    uninstall('gemini');
    expect(read('gemini')).toBe('{\n  "theme": "light", "more": [1]\n}\n');
  });

  test('is freed of the hook after it was reformatted and the receipt is lost', () => {
    write('claude', '{"hooks":{"PreToolUse":[{"matcher":"Edit","hooks":[{"command":"mine"}]}]}}');
    install('claude');
    write('claude', JSON.stringify(JSON.parse(read('claude')), null, 8));
    fs.rmSync(path.join(home, 'state', 'hooks.json'));
    uninstall('claude');
    expect(JSON.parse(read('claude')).hooks.PreToolUse).toEqual([
      { matcher: 'Edit', hooks: [{ command: 'mine' }] },
    ]);
    expect(read('claude')).not.toContain('hook event');
  });

  test('that a link leads to is changed, and the link stays', () => {
    const real = path.join(home, 'dotfiles.json');
    fs.writeFileSync(real, '{}', { mode: 0o640 });
    fs.mkdirSync(path.join(home, '.claude'));
    fs.symlinkSync('../dotfiles.json', fileOf('claude'));
    install('claude');
    expect(fs.lstatSync(fileOf('claude')).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(real, 'utf8')).toContain('hook event claude');
    expect(fs.statSync(real).mode & 0o777).toBe(0o640);
    uninstall('claude');
    expect(fs.readFileSync(real, 'utf8')).toBe('{}');
  });

  test.each([
    ['{ "a": 1', /line 1/],
    ['{"hooks": 7}', /where hooks belong/],
    ['{"a": \u0001}', /not valid JSON/],
  ])('that is not valid stays as it is: %j', (text, message) => {
    write('claude', text);
    expect(() => install('claude')).toThrow(message);
    expect(read('claude')).toBe(text);
  });

  test('that is not UTF-8 stays as it is', () => {
    write('claude', '');
    fs.writeFileSync(fileOf('claude'), Buffer.from([0x7b, 0xff, 0x7d]));
    expect(() => install('claude')).toThrow(/UTF-8/);
    expect(fs.readFileSync(fileOf('claude'))).toEqual(Buffer.from([0x7b, 0xff, 0x7d]));
  });

  test('that is read-only stays as it is, also for root', () => {
    write('claude', '{}');
    fs.chmodSync(fileOf('claude'), 0o444);
    expect(() => install('claude')).toThrow(/read-only/);
    expect(read('claude')).toBe('{}');
    expect(fs.readdirSync(path.dirname(fileOf('claude')))).toEqual(['settings.json']);
  });

  test.each([
    ['is a file', () => fs.writeFileSync(path.dirname(fileOf('claude')), 'x')],
    ['leads in a circle', () => fs.symlinkSync('.claude', path.dirname(fileOf('claude')))],
    [
      'has too long a name',
      () => Object.assign(env, { CLAUDE_CONFIG_DIR: path.join(home, 'x'.repeat(300)) }),
    ],
  ])('whose directory %s is a failure with the file and a hint', (_what, spoil) => {
    spoil();
    const wanted = { code: 'cannot-write', hint: expect.stringContaining('then try again') };
    for (const act of [install, uninstall])
      expect(() => act('claude')).toThrow(
        expect.objectContaining({ ...wanted, message: expect.stringContaining('settings.json') }),
      );
  });

  test('that changes between the question and the answer is not written', () => {
    write('claude', '{}');
    const { apply } = prepareInstall(target('claude'), toolPolicy, env);
    write('claude', '{"model":"x"}');
    expect(apply).toThrow(/changed meanwhile/);
    expect(read('claude')).toBe('{"model":"x"}');
  });

  test('of a project is another one', () => {
    const { plan } = prepareInstall(target('claude', path.join(home, 'work')), toolPolicy, env);
    expect(plan.file).toBe(path.join(home, 'work', '.claude', 'settings.local.json'));
  });

  test('of opencode that is not ours is left alone', () => {
    write('opencode', 'export const Mine = 1;\n');
    expect(() => install('opencode')).toThrow(/not from Unstuck/);
    expect(uninstall('opencode').change).toBe('none');
    expect(read('opencode')).toBe('export const Mine = 1;\n');
  });
});

test('the receipt holds nothing of the rest of the file', () => {
  write('claude', '{"env":{"API_KEY":"sk-secret-0123456789abcdef"}}');
  install('claude');
  expect(fs.readFileSync(path.join(home, 'state', 'hooks.json'), 'utf8')).not.toContain('secret');
  expect(fs.statSync(path.join(home, 'state', 'hooks.json')).mode & 0o777).toBe(0o600);
});
