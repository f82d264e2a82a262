import type { PythonLayout } from './layout.js';
import type { PythonMemory } from './memory.js';

/** A method that is bound to an object of a class: the object. */
const boundMethod = { type: 'method', self: 24 } as const;
const managerType = '_GeneratorContextManager';
/** Where an object may have the values of its attributes: pointers before it (3.11, 3.12), or right behind its type (3.13). */
const attributes = { pointer: -32, taggedPointer: -24, inline: 16, words: 8 } as const;
/** A byte before the frame of a generator: below zero while it is suspended. */
const stateBeforeFrame = 5;
const ownedByGenerator = 1;
/** In a frame: how many of its slots are in use, and its slots. */
const frameFields = { used: 64, slots: 72 } as const;
const slotsMax = 256;
const depthMax = 4;

/**
 * The slots that are in use in a suspended `@contextmanager` function whose `with` block is entered: `slot` has the end
 * of that block. Empty: it has something else.
 */
export function slotsOfManager(
  memory: PythonMemory,
  layout: PythonLayout,
  slot: number,
  depth = 0,
): readonly number[] {
  if (depth === depthMax || memory.typeOf(slot) !== boundMethod.type) return [];
  const manager = memory.word(slot + boundMethod.self);
  if (memory.typeOf(manager) !== managerType) return [];
  const own = generatorSlots(memory, layout, generatorOf(memory, manager));
  return own.flatMap((inner) => [inner, ...slotsOfManager(memory, layout, inner, depth + 1)]);
}

/** 0: not found. */
function generatorOf(memory: PythonMemory, manager: number): number {
  const places = [
    memory.word(manager + attributes.pointer),
    memory.word(manager + attributes.taggedPointer) + 1,
    manager + attributes.inline,
  ];
  const words = places.flatMap((place) => (place % 8 === 0 ? memory.words(place, attributes.words) : []));
  return words.find((word) => memory.typeOf(word) === 'generator') ?? 0;
}

function generatorSlots(
  memory: PythonMemory,
  { generator, frame }: PythonLayout,
  address: number,
): readonly number[] {
  if (address === 0) return [];
  const at = address + generator.frame;
  const state = memory.bytes(at - stateBeforeFrame, 1)?.readInt8(0) ?? 0;
  const owner = memory.bytes(at + frame.owner, 1)?.[0];
  const used = memory.uint32(at + frameFields.used) ?? 0;
  const isSuspended = state < 0 && owner === ownedByGenerator && used <= slotsMax;
  if (!isSuspended || memory.typeOf(memory.word(at + frame.code)) !== 'code') return [];
  return memory.words(at + frameFields.slots, used);
}
