import {
  colon,
  comma,
  isLiteralEnd,
  isSpace,
  listEnd,
  listStart,
  objectEnd,
  objectStart,
  quote,
} from './json-bytes.js';
import * as limits from './short-limits.js';
import { ShortText } from './short-text.js';
import { findStringEnd, nextEscape } from './string-end.js';

/** An open object or list that is kept. */
interface Frame {
  closer: number;
  /** The position in the short text where it has to end. */
  limit: number;
  hasMembers: boolean;
  /** An object's next string is a key. */
  wantsKey: boolean;
}

/** What the next bytes belong to. `drop-…`: they are left out. */
type Mode = 'between' | 'key' | 'text' | 'literal' | 'drop-text' | 'drop-literal';

/**
 * Makes a JSON object of any length short, in constant memory and in one pass over bytes that come in chunks. Each
 * value may take half of the room that its parent has left, so a long output never crowds out the id that comes after
 * it: long texts are cut, long lists end early, and a value without room is left out with its key.
 */
export class JsonShortener {
  readonly #out = new ShortText();
  readonly #frames: Frame[] = [];
  #mode: Mode = 'between';
  #isDone = false;
  #isBroken = false;
  /** Brackets that are open inside of a value that is left out. */
  #dropDepth = 0;
  /** The value after this key is left out. */
  #dropsValue = false;
  /** The kept key, text or literal: where it began, where it has to end, where it may be cut. */
  #from = 0;
  #limit = 0;
  #safe = 0;
  #escape = 0;

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && !this.#isBroken; ) at = this.#step(chunk, at);
  }

  /** The short text, returned once; null: it was not an object, or is not complete. */
  take(): string | null {
    const text = this.#isDone && !this.#isBroken ? this.#out.toString() : null;
    this.reset();
    return text;
  }

  reset(): void {
    this.#out.cutTo(0);
    this.#frames.length = 0;
    this.#mode = 'between';
    this.#isDone = false;
    this.#isBroken = false;
    this.#dropDepth = 0;
    this.#dropsValue = false;
    this.#escape = 0;
  }

  /** Returns the position to go on at. */
  #step(chunk: Buffer, at: number): number {
    switch (this.#mode) {
      case 'between':
        return this.#token(chunk[at] as number) ? at + 1 : at;
      case 'key':
      case 'text':
        return this.#text(chunk, at);
      case 'literal':
      case 'drop-literal':
        return this.#literal(chunk, at);
      case 'drop-text': {
        const { after, isEscaped } = findStringEnd(chunk, at, this.#escape === 1);
        this.#escape = isEscaped ? 1 : 0;
        if (after !== null) this.#mode = 'between';
        return after ?? chunk.length;
      }
    }
  }

  /** Whether the byte is consumed: a literal begins with its own first byte. */
  #token(byte: number): boolean {
    if (isSpace(byte) || byte === colon) return true;
    const isOpening = byte === objectStart || byte === listStart;
    const isClosing = byte === objectEnd || byte === listEnd;
    if (this.#isDone || byte < 0x20) this.#isBroken = true;
    else if (this.#dropDepth > 0) {
      if (byte === quote) this.#mode = 'drop-text';
      else if (isOpening || isClosing) this.#dropDepth += isOpening ? 1 : -1;
    } else if (byte === comma) this.#nextMember();
    else if (isClosing) this.#close(byte);
    else if (byte === quote) this.#openText();
    else if (isOpening) this.#open(byte);
    else {
      this.#openLiteral();
      return false;
    }
    return true;
  }

  #nextMember(): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) this.#isBroken = true;
    else frame.wantsKey = frame.closer === objectEnd;
    this.#dropsValue = false;
  }

  #close(byte: number): void {
    if (this.#frames.pop()?.closer !== byte) this.#isBroken = true;
    this.#out.put(byte);
    this.#dropsValue = false;
    this.#isDone = this.#frames.length === 0;
  }

  #open(byte: number): void {
    const closer = byte === objectStart ? objectEnd : listEnd;
    const parent = this.#frames.at(-1);
    let limit = limits.shortBytesMax;
    if (parent !== undefined) {
      if (!this.#beginValue(parent)) {
        this.#dropDepth = 1;
        return;
      }
      limit = this.#out.size + Math.floor((parent.limit - this.#out.size) / 2);
    }
    if (this.#frames.length < limits.depthMax) {
      this.#frames.push({ closer, limit, hasMembers: false, wantsKey: closer === objectEnd });
      this.#out.put(byte);
    } else {
      this.#out.putNull();
      this.#dropDepth = 1;
    }
  }

  #openText(): void {
    const frame = this.#frames.at(-1);
    const isKey = frame?.wantsKey === true;
    const from = this.#out.size;
    if (frame === undefined) this.#isBroken = true;
    else if (isKey ? !this.#beginKey(frame) : !this.#beginValue(frame)) this.#mode = 'drop-text';
    else {
      this.#mode = isKey ? 'key' : 'text';
      this.#out.put(quote);
      const { size } = this.#out;
      const room = Math.max(limits.textBytesMin, Math.floor((frame.limit - size) / 2));
      this.#from = from;
      this.#limit = size + (isKey ? limits.keyBytesMax : Math.min(limits.textBytesMax, room));
      this.#safe = size;
    }
  }

  #openLiteral(): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) this.#isBroken = true;
    else if (!this.#beginValue(frame)) this.#mode = 'drop-literal';
    else {
      this.#from = this.#out.size;
      this.#limit = this.#from + limits.literalBytesMax;
      this.#mode = 'literal';
    }
  }

  /** Whether there is room for a key and its value. */
  #beginKey(frame: Frame): boolean {
    frame.wantsKey = false;
    this.#dropsValue = !this.#separate(frame);
    return !this.#dropsValue;
  }

  /** Whether there is room for a value. In an object there is if its key was written. */
  #beginValue(frame: Frame): boolean {
    if (this.#dropsValue) return false;
    if (frame.closer === listEnd) return this.#separate(frame);
    if (frame.wantsKey || this.#out.at(this.#out.size - 1) !== colon) this.#isBroken = true;
    return true;
  }

  #separate(frame: Frame): boolean {
    if (frame.limit - this.#out.size < limits.memberBytesMin) return false;
    if (frame.hasMembers) this.#out.put(comma);
    frame.hasMembers = true;
    return true;
  }

  /** A key or a text that is kept, up to where it is cut. */
  #text(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (this.#escape === 0 && byte === quote) {
        this.#out.put(quote);
        if (this.#mode === 'key') this.#out.put(colon);
        this.#mode = 'between';
        return at + 1;
      }
      if (this.#out.size >= this.#limit) {
        this.#cut();
        return at;
      }
      this.#out.put(byte);
      this.#escape = nextEscape(this.#escape, byte);
      if (this.#escape === 0) this.#safe = this.#out.size;
    }
    return chunk.length;
  }

  /** The rest of a text is left out; a key that is too long is left out with its value. */
  #cut(): void {
    if (this.#mode === 'key') {
      const frame = this.#frames.at(-1) as Frame;
      // The first member has no comma before it.
      frame.hasMembers = this.#out.at(this.#from) === comma;
      this.#out.cutTo(this.#from);
      this.#dropsValue = true;
    } else {
      this.#out.cutTo(this.#safe);
      this.#out.put(quote);
    }
    // The digits of \uXXXX cannot be taken for the end of the string.
    if (this.#escape > 1) this.#escape = 0;
    this.#mode = 'drop-text';
  }

  #literal(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (isLiteralEnd(byte)) {
        this.#mode = 'between';
        return at;
      }
      if (this.#mode === 'drop-literal') continue;
      this.#out.put(byte);
      if (this.#out.size <= this.#limit) continue;
      this.#out.cutTo(this.#from);
      this.#out.putNull();
      this.#mode = 'drop-literal';
    }
    return chunk.length;
  }
}
