/** A value in a JSON text, with its place in the text. `end` is the offset after it. */
export type JsonNode =
  | { kind: 'object'; start: number; end: number; members: JsonMember[]; comma: number | null }
  | { kind: 'array'; start: number; end: number; items: JsonNode[]; comma: number | null }
  | { kind: 'scalar'; start: number; end: number; value: unknown };

export interface JsonMember {
  key: string;
  start: number;
  value: JsonNode;
}

/** The text is not JSON. */
export class NotJson extends Error {
  readonly line: number;

  constructor(text: string, at: number, what: string) {
    super(what);
    this.line = text.slice(0, at).split('\n').length;
  }
}

const depthMax = 100;
const space = /[\s\uFEFF]*/y;
const lineComment = /\/\/[^\n]*/y;
const blockComment = /\/\*[\s\S]*?\*\//y;
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Reads JSON with comments and trailing commas, as settings files have them. */
class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): JsonNode | null {
    this.#skip();
    if (this.#at === this.#text.length) return null;
    const node = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#wrong('there is text after the end');
    return node;
  }

  #value(depth: number): JsonNode {
    if (depth > depthMax) throw this.#wrong('it is nested too deeply');
    const start = this.#at;
    const first = this.#text[start];
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    const token = this.#match(string) ?? this.#match(word);
    if (token === null) throw this.#wrong('a value is expected');
    return { kind: 'scalar', start, end: this.#at, value: JSON.parse(token) };
  }

  #object(depth: number): JsonNode {
    const start = this.#at;
    const members: JsonMember[] = [];
    const comma = this.#list('}', () => {
      const at = this.#at;
      const key = this.#match(string);
      if (key === null) throw this.#wrong('a name in quotes is expected');
      this.#skip();
      if (!this.#take(':')) throw this.#wrong('a colon is expected');
      this.#skip();
      members.push({ key: JSON.parse(key), start: at, value: this.#value(depth + 1) });
    });
    return { kind: 'object', start, end: this.#at, members, comma };
  }

  #array(depth: number): JsonNode {
    const start = this.#at;
    const items: JsonNode[] = [];
    const comma = this.#list(']', () => items.push(this.#value(depth + 1)));
    return { kind: 'array', start, end: this.#at, items, comma };
  }

  /** Returns the offset after a trailing comma; null: there is none. */
  #list(close: string, element: () => void): number | null {
    this.#at += 1;
    this.#skip();
    let comma: number | null = null;
    while (!this.#take(close)) {
      element();
      this.#skip();
      comma = this.#take(',') ? this.#at : null;
      this.#skip();
      if (comma === null && this.#text[this.#at] !== close) throw this.#wrong('a comma is expected');
    }
    return comma;
  }

  #skip(): void {
    do this.#match(space);
    while (this.#match(lineComment) !== null || this.#match(blockComment) !== null);
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found === undefined) return null;
    this.#at += found.length;
    return found;
  }

  #wrong(what: string): NotJson {
    return new NotJson(this.#text, this.#at, what);
  }
}

/** null: the text is empty. Throws NotJson. */
export function parseJsonc(text: string): JsonNode | null {
  return new Parser(text).whole();
}

/** The value as plain data. */
export function plainValue(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(plainValue);
  return Object.fromEntries(node.members.map(({ key, value }) => [key, plainValue(value)]));
}
