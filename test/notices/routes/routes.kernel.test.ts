import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BackgroundHome, ownHome, until } from '../../support/background-home.js';
import { afterThisTest } from '../../support/per-test.js';
import { runCli } from '../../support/run-cli.js';

/** A chat service on loopback; `isDown`: it answers 503. */
async function service() {
  const state = {
    got: [] as { url: string; content: Record<string, unknown> }[],
    isDown: false,
    refused: 0,
  };
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (state.isDown) state.refused += 1;
    else state.got.push({ url: request.url ?? '', content: JSON.parse(body) });
    response.writeHead(state.isDown ? 503 : 200).end();
  });
  afterThisTest(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function writeRoutes(home: BackgroundHome, routes: object): void {
  const config = path.join(home.path, 'config');
  home.env.XDG_CONFIG_HOME = config;
  fs.mkdirSync(path.join(config, 'unstuck'), { recursive: true });
  fs.writeFileSync(path.join(config, 'unstuck', 'routes.json'), JSON.stringify({ routes }), { mode: 0o600 });
}

/** Up to which notice a route has delivered, as the next daemon will read it. */
function settledOf(home: BackgroundHome, route: string): number {
  const file = path.join(home.path, 'routes', route, 'delivered.json');
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).webhook.seq : 0;
}

const shell = (home: BackgroundHome, script: string, tags: string[] = []) =>
  home.start(['sh', '-c', script], { tags, label: 'nightly' });

describe.concurrent('routes', () => {
  it('send the end of a run that they match to its chat, without --notify, and no other run', async () => {
    const home = ownHome();
    const { state, url } = await service();
    const tokenFile = path.join(home.path, 'token');
    fs.writeFileSync(tokenFile, '1:a', { mode: 0o600 });
    writeRoutes(home, {
      team: { tag: 'team=*', slack: `${url}/slack` },
      chat: { tag: 'chat=*', telegram: { tokenFile, chat: '{tag:chat}', api: url } },
    });
    await shell(home, 'exit 0', ['other']);
    await shell(home, 'echo "<!channel>"; exit 3', ['team=a', 'chat=42']);
    await until(() => state.got.length === 2, 'both have arrived');
    const [slack, telegram] = state.got.sort((a, b) => b.url.localeCompare(a.url));
    expect(slack).toMatchObject({ url: '/slack' });
    expect(slack?.content.text).toMatch(/^nightly \(run_\w+\): ended with exit code 3/);
    expect(slack?.content.text).toContain('&lt;!channel&gt;');
    expect(telegram).toMatchObject({ url: '/bot1:a/sendMessage', content: { chat_id: '42' } });
    const { notices } = await home.call('notices', { timeoutS: 0 });
    expect(notices).toHaveLength(1);
  });

  it('deliver after a daemon was killed what it had not delivered, and nothing twice', async () => {
    const home = ownHome();
    const { state, url } = await service();
    writeRoutes(home, { all: { kinds: ['exit'], webhook: `${url}/all` } });
    await shell(home, 'exit 1');
    await until(() => settledOf(home, 'all') === 1, 'the first has arrived, and that is on disk');
    state.isDown = true;
    const { id } = await shell(home, 'exit 2');
    await home.call('wait', { id, until: ['exit'] });
    // A request that is under way would be answered after the daemon has gone.
    await until(() => state.refused > 0, 'the second was refused');
    await home.killDaemon();
    state.isDown = false;
    await home.call('list', {});
    await until(() => state.got.length === 2, 'the second has arrived');
    expect(state.got.map(({ content }) => (content.exit as { code: number }).code)).toEqual([1, 2]);
  });

  it('in a file with a fault are named at the next start, and the routes before it stay', async () => {
    const home = ownHome();
    const { state, url } = await service();
    writeRoutes(home, { all: { webhook: `${url}/all` } });
    await shell(home, 'exit 1');
    await until(() => state.got.length === 1, 'the first has arrived');
    writeRoutes(home, { all: { slak: url } });
    const { warnings } = await shell(home, 'exit 2');
    expect(warnings?.join()).toMatch(/notices are not routed: .*unknown key "slak"/);
    await until(() => state.got.length === 2, 'the second has arrived');
  });

  it('are listed without secrets, and tested', async () => {
    const home = ownHome();
    const { state, url } = await service();
    writeRoutes(home, {
      team: { tag: 'team=*', slack: `${url}/services/secret` },
      log: { command: 'exit 7' },
    });
    const listed = await runCli(['routes'], home.env);
    expect(listed.stdout).toMatch(/^team: exit, needs-input, stuck, stalled of tag team=\*, to slack http:/);
    expect(listed.stdout).not.toContain('secret');
    const tested = await runCli(['routes', '--test', 'team'], home.env);
    expect(tested).toMatchObject({ code: 0, stdout: 'delivered over team\n' });
    expect(state.got[0]?.content.text).toBe('test of a route: notices arrive here');
    const failed = await runCli(['routes', '--test', 'log', '--json'], home.env);
    expect(failed.code).toBe(125);
    expect(JSON.parse(failed.stdout).error.message).toMatch(/it ended with exit code 7/);
    expect((await runCli(['routes', '--test', 'nope'], home.env)).stderr).toMatch(/routes: team, log/);
  });
});
