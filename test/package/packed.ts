import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

/** A project that has the packed package installed, as from a registry, and none of our own packages. Its path has a space. */
export class Consumer {
  readonly path = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck consumer-'));

  constructor() {
    // `npm test` has just built all of it.
    if (process.env.UNSTUCK_TEST_BUILT !== '1')
      execFileSync(process.execPath, ['scripts/build.mjs', '--types'], { cwd: repository, stdio: 'pipe' });
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', this.path];
    const [tarball = ''] = execFileSync('npm', pack, { cwd: repository, encoding: 'utf8', stdio: 'pipe' })
      .trim()
      .split('\n')
      .slice(-1);
    const installed = path.join(this.path, 'node_modules/unstuck');
    fs.mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', path.join(this.path, tarball), '-C', installed, '--strip-components=1']);
    for (const name of ['koffi', '@koromix', '@types/node', 'undici-types']) this.#link(name);
    this.write('package.json', JSON.stringify({ name: 'consumer', type: 'module' }));
    // npm makes the links of node_modules/.bin.
    this.npm('rebuild', '--ignore-scripts');
  }

  npm(...words: string[]): string {
    return execFileSync('npm', ['--offline', ...words], { cwd: this.path, encoding: 'utf8', stdio: 'pipe' });
  }

  write(name: string, text: string): string {
    const file = path.join(this.path, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  }

  end(): void {
    fs.rmSync(this.path, { recursive: true, force: true });
  }

  #link(name: string): void {
    const place = path.join(this.path, 'node_modules', name);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.symlinkSync(path.join(repository, 'node_modules', name), place);
  }
}
