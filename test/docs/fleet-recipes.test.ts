import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const page = fs.readFileSync(new URL('../../docs/fleet.md', import.meta.url), 'utf8');

/** The indented block that begins with a line. */
function block(first: string): string {
  const at = page.indexOf(`\n    ${first}\n`);
  const lines = page.slice(at + 1).split('\n');
  const end = lines.findIndex((line) => line !== '' && !line.startsWith('    '));
  return lines
    .slice(0, end)
    .map((line) => line.slice(4))
    .join('\n');
}

describe('the recipes of docs/fleet.md', () => {
  it('the DaemonSet selects its own pods, mounts volumes that it has, and runs the daemon in the foreground', () => {
    const { apiVersion, kind, metadata, spec } = parse(block('apiVersion: apps/v1'));
    expect({ apiVersion, kind, name: metadata.name }).toEqual({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      name: 'unstuck',
    });
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    const { containers, volumes, hostPID } = spec.template.spec;
    expect(hostPID).toBe(true);
    const [{ command, env, volumeMounts }] = containers;
    const names = (list: { name: string }[]) => list.map(({ name }) => name).sort();
    expect(names(volumeMounts)).toEqual(names(volumes));
    for (const { name, value, valueFrom } of env)
      expect([typeof value, typeof valueFrom].sort(), name).toContain('undefined');
    expect(command.slice(0, 2)).toEqual(['sh', '-c']);
    expect(command[2]).toMatch(/^unstuck join .* && unstuck daemon stop && exec unstuck daemon run$/);
    for (const [, name] of command[2].matchAll(/\$\{?([A-Z_]+)/g)) expect(names(env)).toContain(name);
  });

  it('the systemd unit leaves the runs alone and starts the daemon again', () => {
    const lines = block('[Unit]').split('\n');
    const sections = lines.filter((line) => line.startsWith('['));
    expect(sections).toEqual(['[Unit]', '[Service]', '[Install]']);
    expect(lines).toEqual(expect.arrayContaining(['KillMode=process', 'Restart=always']));
    expect(lines.find((line) => line.startsWith('ExecStart='))).toMatch(/^ExecStart=\/\S+ daemon run$/);
  });
});
