import type { QuickJSContext } from 'quickjs-emscripten-core';

/** The interpreter asks whether to stop after this many calls and loop turns (`JS_INTERRUPT_COUNTER_INIT`). */
const OWN_TURNS = 10_000;
/**
 * Each of them may call a native function that takes 10 ms for a text of megabytes. Asking so often costs a quarter of the
 * time of a tight loop.
 */
const TURNS = 50;
/** The interpreter's context, in words: the counter is among its first fields. */
const CONTEXT_WORDS = 256;

/**
 * Makes an interpreter ask more often whether to stop. It has no setting for that, but counts down in its context, whose
 * memory belongs to us.
 */
export class InterruptCounter {
  readonly #memory: { readonly buffer: ArrayBufferLike };
  readonly #context: number;
  /** Its index in the memory; -1 if it was not found, so that the interpreter keeps its own number. */
  #at: number | undefined;

  constructor(memory: { readonly buffer: ArrayBufferLike }, context: QuickJSContext) {
    this.#memory = memory;
    // The library keeps the pointer to itself.
    this.#context = (Reflect.get(context, 'ctx') as { readonly value: number }).value;
  }

  /** Called while the interpreter asks: it has just set the counter to its own number. */
  shorten(): void {
    const words = new Int32Array(this.#memory.buffer);
    this.#at ??= this.#find(words);
    if (this.#at !== -1) words[this.#at] = TURNS;
  }

  #find(words: Int32Array): number {
    const from = this.#context >>> 2;
    const found: number[] = [];
    for (let at = from; at < from + CONTEXT_WORDS; at++) if (words[at] === OWN_TURNS) found.push(at);
    return found.length === 1 ? (found[0] as number) : -1;
  }
}

/** Runs long enough for the interpreter to ask once. */
export const longLoop = `for (let i = 0; i < ${2 * OWN_TURNS}; i++);`;
