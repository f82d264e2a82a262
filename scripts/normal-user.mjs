import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isPresent, systemPath } from './test-tools.mjs';

/** @typedef {{ name: string, uid: number, gid: number }} User */
/** @typedef {{ user: User, root: string, scratch: string, prefix: string[], env: NodeJS.ProcessEnv }} Place */

const leftBehind = ['.git', 'coverage'];

/**
 * Root may do everything, so what works for root proves little: calls `work` with a copy of the tree that a
 * normal user owns, and how to become that user. The copy goes away whatever happens.
 * @template T
 * @param {string} root
 * @param {(place: Place) => Promise<T>} work
 * @returns {Promise<{ result: T } | { whyNot: string }>}
 */
export async function asNormalUser(root, work) {
  const user = chooseUser();
  if (!user) return { whyNot: 'there is no normal user in /etc/passwd' };
  if (!isPresent('setpriv')) return { whyNot: 'setpriv (util-linux) is not installed' };
  const base = mkdtempSync(join(tmpdir(), 'unstuck-user-'));
  try {
    chmodSync(base, 0o755);
    const place = describePlace(base, user);
    const problem = whyUnusable(place);
    if (problem) return { whyNot: problem };
    copyTree(root, place);
    return { result: await work(place) };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/**
 * `nobody` first: it can reach no processes of a person.
 * @returns {User | undefined}
 */
function chooseUser() {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  return users.find(({ name }) => name === 'nobody') ?? users.find(({ uid }) => uid >= 1000 && uid < 60_000);
}

/**
 * @param {string} base
 * @param {User} user
 * @returns {Place}
 */
function describePlace(base, user) {
  const [home, scratch] = [join(base, 'home'), join(base, 'tmp')];
  for (const directory of [home, scratch]) mkdirSync(directory, { mode: 0o700 });
  const { LANG, TERM, CI, NO_COLOR, FORCE_COLOR } = process.env;
  return {
    user,
    root: join(base, 'tree'),
    scratch,
    prefix: [
      'setpriv',
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      '--inh-caps=-all',
      '--',
    ],
    env: {
      PATH: [...new Set([...systemPath, dirname(process.execPath)])].join(':'),
      HOME: home,
      TMPDIR: scratch,
      USER: user.name,
      LOGNAME: user.name,
      SHELL: '/bin/sh',
      ...Object.fromEntries(
        Object.entries({ LANG, TERM, CI, NO_COLOR, FORCE_COLOR }).filter(([, value]) => value),
      ),
    },
  };
}

/** @param {Place} place */
function whyUnusable({ user, scratch, prefix, env }) {
  const [command = '', ...args] = [...prefix, process.execPath, '--version'];
  const { status, stderr, error } = spawnSync(command, args, {
    cwd: dirname(scratch),
    env,
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `${user.name} cannot run node: ${error?.message ?? stderr.trim()}`;
}

/**
 * @param {string} from
 * @param {Place} place
 */
function copyTree(from, { user, root }) {
  mkdirSync(root);
  const names = readdirSync(from).filter(
    (name) => !leftBehind.includes(name) && !name.startsWith('.unstuck-'),
  );
  execFileSync('cp', ['-a', '-H', '--reflink=auto', '--', ...names.map((name) => join(from, name)), root]);
  execFileSync('chown', ['-R', '-h', `${user.uid}:${user.gid}`, dirname(root)]);
}
