import { type JsonNode, parseJsonc, plainValue } from './parse-jsonc.js';

/** A text that is inserted at an offset. */
export interface Insertion {
  at: number;
  text: string;
}

/** An entry of one event: `{ matcher, hooks: [handler] }`. */
export interface HookEntry {
  event: string;
  group: object;
}

/** The settings have a value in the place of an object or a list. */
export class WrongShape extends Error {}

interface Style {
  newline: string;
  /** One level of indentation; null: everything is on one line. */
  unit: string | null;
}

function styleOf(text: string): Style {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  if (text.trim() === '') return { newline, unit: '  ' };
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? (text.trim().includes('\n') ? '  ' : null);
  return { newline, unit: text.trim() === '{}' ? '  ' : unit };
}

/** JSON on lines of its own, as deep as its place is. */
function render(value: unknown, { newline, unit }: Style, depth: number): string {
  if (unit === null) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll('\n', newline + unit.repeat(depth));
}

/** Inserts elements at the end of an object or a list, before comments that follow its last element. */
function append(node: JsonNode, elements: string[], style: Style, depth: number): Insertion {
  if (node.kind === 'scalar') throw new WrongShape();
  const { newline, unit } = style;
  const gap = unit === null ? '' : newline + unit.repeat(depth + 1);
  const body = elements.map((element) => gap + element).join(',');
  const last = node.kind === 'object' ? node.members.at(-1)?.value : node.items.at(-1);
  if (last === undefined) {
    const end = unit === null ? '' : newline + unit.repeat(depth);
    return { at: node.start + 1, text: body + end };
  }
  return node.comma === null ? { at: last.end, text: `,${body}` } : { at: node.comma, text: body };
}

function memberOf(node: JsonNode, key: string): JsonNode | undefined {
  if (node.kind !== 'object') throw new WrongShape();
  // Of several with the same name, agents use the last.
  return node.members.findLast((member) => member.key === key)?.value;
}

/** Throws NotJson, or WrongShape. */
export function insertHooks(text: string, entries: readonly HookEntry[]): Insertion[] {
  const style = styleOf(text);
  const root = parseJsonc(text);
  const events = [...new Set(entries.map(({ event }) => event))];
  const groupsOf = (event: string) =>
    entries.filter((entry) => entry.event === event).map(({ group }) => group);
  const member = (event: string, depth: number) =>
    `${JSON.stringify(event)}: ${render(groupsOf(event), style, depth)}`;
  if (root === null) {
    const hooks = Object.fromEntries(events.map((event) => [event, groupsOf(event)]));
    return [{ at: text.length, text: `${render({ hooks }, style, 0)}${style.newline}` }];
  }
  const hooks = memberOf(root, 'hooks');
  if (hooks === undefined) {
    const value = Object.fromEntries(events.map((event) => [event, groupsOf(event)]));
    return [append(root, [`"hooks": ${render(value, style, 1)}`], style, 0)];
  }
  const missing = events.filter((event) => memberOf(hooks, event) === undefined);
  const inserted = events.flatMap((event) => {
    const list = memberOf(hooks, event);
    if (list === undefined) return [];
    if (list.kind !== 'array') throw new WrongShape();
    return [
      append(
        list,
        groupsOf(event).map((group) => render(group, style, 3)),
        style,
        2,
      ),
    ];
  });
  if (missing.length > 0)
    inserted.push(
      append(
        hooks,
        missing.map((event) => member(event, 2)),
        style,
        1,
      ),
    );
  return inserted.sort((a, b) => a.at - b.at);
}

export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  let result = text;
  for (const { at, text: inserted } of [...insertions].reverse())
    result = result.slice(0, at) + inserted + result.slice(at);
  return result;
}

/** Undoes `applyInsertions` on its result; null: the text is another. */
export function undoInsertions(text: string, insertions: readonly Insertion[]): string | null {
  let result = text;
  for (const { at, text: inserted } of insertions) {
    if (result.slice(at, at + inserted.length) !== inserted) return null;
    result = result.slice(0, at) + result.slice(at + inserted.length);
  }
  return result;
}

/** The same after the user has changed other parts: the inserted texts are there in their order. null: they are not. */
export function takeOut(text: string, insertions: readonly Insertion[]): string | null {
  let result = text;
  let from = 0;
  for (const { text: inserted } of insertions) {
    const at = result.indexOf(inserted, from);
    if (at === -1) return null;
    result = result.slice(0, at) + result.slice(at + inserted.length);
    from = at;
  }
  return result;
}

type IsOurs = (command: string) => boolean;

function isOursOnly(group: JsonNode, isOurs: IsOurs): boolean {
  const { hooks } = (plainValue(group) ?? {}) as { hooks?: unknown };
  const commands = Array.isArray(hooks)
    ? hooks.map((hook) => (hook as { command?: unknown } | null)?.command)
    : [];
  return commands.length > 0 && commands.every((command) => typeof command === 'string' && isOurs(command));
}

interface Found {
  list: JsonNode & { kind: 'array' };
  index: number;
}

function findOurs(text: string, isOurs: IsOurs): Found[] {
  const root = parseJsonc(text);
  const hooks = root === null ? undefined : memberOf(root, 'hooks');
  if (hooks === undefined || hooks.kind !== 'object') return [];
  return hooks.members.flatMap(({ value: list }) =>
    list.kind !== 'array'
      ? []
      : list.items.flatMap((item, index) => (isOursOnly(item, isOurs) ? [{ list, index }] : [])),
  );
}

/** The groups of handlers that are ours, as data. */
export function oursIn(text: string, isOurs: IsOurs): unknown[] {
  return findOurs(text, isOurs).map(({ list, index }) => plainValue(list.items[index] as JsonNode));
}

/** Removes our groups wherever they are; what is around them stays. Throws NotJson, or WrongShape. */
export function removeOurs(text: string, isOurs: IsOurs): string {
  let result = text;
  for (let found = findOurs(result, isOurs)[0]; found !== undefined; found = findOurs(result, isOurs)[0]) {
    const { list, index } = found;
    const [before, item, after] = [list.items[index - 1], list.items[index], list.items[index + 1]];
    const from = before === undefined || after !== undefined ? (item?.start ?? 0) : before.end;
    const to = after?.start ?? item?.end ?? 0;
    result = result.slice(0, from) + result.slice(to);
  }
  return result;
}
