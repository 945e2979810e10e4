import type { QuickJSContext } from 'quickjs-emscripten-core';

/**
 * Number of calls and loop iterations after which the interpreter polls for an interruption by default
 * (`JS_INTERRUPT_COUNTER_INIT`).
 */
const OWN_TURNS = 10_000;
/**
 * The number that replaces `OWN_TURNS`. It is low, because each iteration may call a native function that
 * takes 10 ms for a text of megabytes. The additional polling takes a quarter of the time of a tight loop.
 */
const TURNS = 50;
/** Size of the part of the interpreter's context that is searched, in words. The counter is among its first fields. */
const CONTEXT_WORDS = 256;

/**
 * Makes an interpreter poll for interruptions more often. The interpreter has no setting for that. It counts down a
 * number in its context, whose memory is accessible.
 */
export class InterruptCounter {
  readonly #memory: { readonly buffer: ArrayBufferLike };
  readonly #context: number;
  /** The index of the counter in the memory; -1 if it was not found, so that `OWN_TURNS` applies. */
  #at: number | undefined;

  constructor(memory: { readonly buffer: ArrayBufferLike }, context: QuickJSContext) {
    this.#memory = memory;
    // Read the pointer by reflection, because the library does not expose it.
    this.#context = (Reflect.get(context, 'ctx') as { readonly value: number }).value;
  }

  /** Called when the interpreter polls: at that time, the interpreter has just reset the counter to `OWN_TURNS`. */
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
