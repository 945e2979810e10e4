import type { QuickJSContext } from 'quickjs-emscripten-core';

/**
 * Number of calls and loop iterations after which the interpreter polls for an interruption by default
 * (`JS_INTERRUPT_COUNTER_INIT`).
 */
const OWN_TURNS = 10_000;
/**
 * The number that replaces `OWN_TURNS`. It is low, because each iteration may call a native function that takes 10 ms
 * for a text of some megabytes. In a tight loop, the additional polling takes a quarter of the time.
 */
const TURNS = 50;
/**
 * Number of words at the start of the interpreter's context in which the counter is searched. The counter is one of the
 * first fields.
 */
const CONTEXT_WORDS = 256;

/**
 * Makes an interpreter poll for interruptions more often. The interpreter has no setting for this. But it counts down a
 * number in its context, and the memory of the context is accessible.
 */
export class InterruptCounter {
  readonly #memory: { readonly buffer: ArrayBufferLike };
  readonly #context: number;
  /** The index of the counter in the memory. It is -1 if the counter was not found, and `OWN_TURNS` then applies. */
  #at: number | undefined;

  constructor(memory: { readonly buffer: ArrayBufferLike }, context: QuickJSContext) {
    this.#memory = memory;
    // Read the pointer by reflection, because the library does not expose it.
    this.#context = (Reflect.get(context, 'ctx') as { readonly value: number }).value;
  }

  /** Lowers the counter. Called when the interpreter polls, just after it has reset the counter to `OWN_TURNS`. */
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

/** Runs long enough for the interpreter to poll once. */
export const longLoop = `for (let i = 0; i < ${2 * OWN_TURNS}; i++);`;
