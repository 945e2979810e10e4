import { createHash } from 'node:crypto';
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core';
import { ServerError } from '../errors/server-error.ts';
import type { Statement } from '../statement/statement.ts';
import { FIRST_PAGES, MAX_CODE, MAX_NESTING, MAX_TEXT, PAGE_BYTES } from './bounds.ts';
import type { Interpreter } from './interpreters.ts';
import { InterruptCounter, longLoop } from './interrupt-counter.ts';
import { isStackOverflow, isTooNested } from './nesting.ts';
import { prelude } from './prelude.ts';

/** Maximum heap size of an interpreter. It does not include large blocks, which only `MAX_PAGES` limits. */
const MEMORY_BYTES = 64 << 20;
/** Size of an interpreter's stack. A frame of a script takes several times as many bytes on the stack of the thread. */
const STACK_BYTES = 96 << 10;
/**
 * Time limit of a call, even if the statement may run longer. A running script blocks all other statements on its
 * thread.
 */
const LONGEST_CALL_MS = 10_000;
/** Maximum time for which a sleeping script blocks the thread between two interruption checks. */
const NAP_MS = 1;

/** The clock of scripts, in milliseconds. */
export interface ScriptClock {
  now(): number;
  /** Blocks the thread. */
  pause(ms: number): void;
}

/** What the caller needs from a function: its result, the truth value of its result, or the values that it emits. */
export type CallMode = 'call' | 'test' | 'emits';

/** The input of a function: the text of `[this, arguments]`, and the pieces to which the text refers. */
export interface Given {
  readonly text: string;
  readonly pieces: readonly string[];
  /** True if the text contains tagged objects. */
  readonly tagged: boolean;
}

/** The output of a function. */
export interface Answered {
  readonly answer: string | boolean;
  readonly pieces: readonly string[];
}

/** An interpreter with the compiled functions of one operation. */
export class Sandbox {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #callModes: Readonly<Record<CallMode, QuickJSHandle>>;
  readonly #functions = new Map<string, QuickJSHandle>();
  readonly #statement: Statement;
  readonly #clock: ScriptClock;
  #given: readonly string[] = [];
  #answered: string[] = [];
  /** Number of calls that are running. */
  #depth = 0;
  #deadline = Number.POSITIVE_INFINITY;
  /**
   * Why a call was interrupted. It is stored here, because the interpreter does not pass on the exceptions of its
   * callbacks.
   */
  #stopped: unknown;

  readonly interpreter: Interpreter;
  /** True after an interruption within a native function, which leaves the interpreter in an unknown state. */
  unusable = false;

  constructor(interpreter: Interpreter, statement: Statement, clock: ScriptClock) {
    const { module, memory } = interpreter;
    this.interpreter = interpreter;
    this.#statement = statement;
    this.#clock = clock;
    this.#runtime = module.newRuntime();
    this.#runtime.setMemoryLimit(MEMORY_BYTES);
    this.#runtime.setMaxStackSize(STACK_BYTES);
    this.#context = this.#runtime.newContext();
    this.#callModes = this.#loadPrelude();
    this.#define('hex_md5', (text) => this.#digest(text));
    this.#define('sleep', (ms) => this.#sleep(this.#context.getNumber(ms)));
    this.#watch(memory);
    interpreter.check = () => {
      if (this.#depth > 0 && this.#interrupts()) this.#leave();
    };
  }

  /** Runs the prelude, which converts arguments and results. Returns its function for each mode. */
  #loadPrelude(): Readonly<Record<CallMode, QuickJSHandle>> {
    this.#define('take', (number) =>
      this.#context.newString(this.#given[this.#context.getNumber(number)] ?? ''),
    );
    this.#define('give', (text) =>
      this.#context.newNumber(this.#answered.push(this.#context.getString(text)) - 1),
    );
    this.#define('tooNested', (text) =>
      isTooNested(this.#context.getString(text)) ? this.#context.true : this.#context.false,
    );
    const made = this.#context.unwrapResult(this.#context.evalCode(prelude, 'prelude'));
    const part = (name: CallMode) => this.#context.getProp(made, name);
    const modes = { call: part('call'), test: part('test'), emits: part('emits') };
    made.dispose();
    return modes;
  }

  /**
   * Makes scripts interruptible. First runs a long loop, during which `InterruptCounter` finds the counter that it must
   * change.
   */
  #watch(memory: Interpreter['memory']): void {
    const counter = new InterruptCounter(memory, this.#context);
    let begun = false;
    this.#runtime.setInterruptHandler(() => {
      counter.shorten();
      return begun && this.#interrupts();
    });
    this.#context.unwrapResult(this.#context.evalCode(longLoop)).dispose();
    begun = true;
  }

  /** Leaves a native function by an exception, which makes the interpreter unusable. */
  #leave(): never {
    this.unusable = true;
    throw this.#stopped;
  }

  /** Ends a script after an overflow of the stack of the thread, which leaves the interpreter in an unknown state. */
  #abandon(message: string): void {
    this.unusable = true;
    this.#stopped = new ServerError('JSInterpreterFailure', message);
  }

  /**
   * True if the memory has grown. The interpreter is then discarded, because freeing its values one by one would take
   * long.
   */
  get isLarge(): boolean {
    return this.interpreter.memory.buffer.byteLength > FIRST_PAGES * PAGE_BYTES;
  }

  get busy(): boolean {
    return this.#depth > 0;
  }

  #define(name: string, call: (value: QuickJSHandle) => QuickJSHandle | undefined): void {
    this.#context
      .newFunction(name, call)
      .consume((made) => this.#context.setProp(this.#context.global, name, made));
  }

  /** Calls the function in `code`. */
  run(mode: CallMode, code: string, { text, pieces, tagged }: Given): Answered {
    const context = this.#context;
    // Check before the call, because the conversion of arguments and results takes time in proportion to their size.
    this.#statement.checkNow();
    this.#depth++;
    this.#deadline = this.#clock.now() + LONGEST_CALL_MS;
    this.#stopped = undefined;
    this.#given = pieces;
    this.#answered = [];
    const given = context.newString(text);
    try {
      const f = this.#function(code);
      const flag = tagged ? context.true : context.false;
      const result = context.callFunction(this.#callModes[mode], context.undefined, f, given, flag);
      if (result.error) throw this.#failure(result.error);
      const { value } = result;
      const answer = mode === 'test' ? context.dump(value) === true : context.getString(value);
      value.dispose();
      return { answer, pieces: this.#answered };
    } catch (error) {
      if (isStackOverflow(error)) this.#abandon(STACK_OVERFLOW);
      throw this.unusable ? this.#stopped : error;
    } finally {
      this.#given = [];
      this.#answered = [];
      this.#depth--;
      if (!this.unusable) given.dispose();
    }
  }

  dispose(): void {
    for (const f of this.#functions.values()) f.dispose();
    for (const handle of Object.values(this.#callModes)) handle.dispose();
    this.#context.dispose();
    this.#runtime.dispose();
  }

  #interrupts(): boolean {
    if (this.unusable) return true;
    try {
      this.#statement.checkNow();
      if (this.#clock.now() < this.#deadline) return false;
      throw new ServerError('Interrupted', 'a script was interrupted because it took too long');
    } catch (error) {
      this.#stopped = error;
      return true;
    }
  }

  /** Returns the MD5 digest of a text. The length is limited, because the interpreter cannot be interrupted here. */
  #digest(value: QuickJSHandle): QuickJSHandle {
    if (this.#context.typeof(value) !== 'string')
      throw new TypeError('hex_md5 takes a single string argument');
    const text = this.#context.getString(value);
    if (text.length > MAX_TEXT) throw new RangeError('hex_md5 of so long a text');
    return this.#context.newString(createHash('md5').update(text).digest('hex'));
  }

  /** Sleeps. Other operations may run meanwhile, so the sleep does not count as running time. */
  #sleep(ms: number): undefined {
    const { now, pause } = this.#clock;
    const until = now() + (ms > 0 ? ms : 0);
    this.#deadline += until - now();
    for (let left = until - now(); left > 0; left = until - now()) {
      if (this.#interrupts()) throw new Error('interrupted');
      pause(Math.min(left, NAP_MS));
    }
    return undefined;
  }

  #function(code: string): QuickJSHandle {
    const known = this.#functions.get(code);
    if (known !== undefined) return known;
    const made = this.#compile(code);
    this.#functions.set(code, made);
    return made;
  }

  /**
   * Compiles code to a function. Code that is not a function becomes one: an expression becomes its result, and
   * statements become its body.
   */
  #compile(code: string): QuickJSHandle {
    if (code.length > MAX_CODE) throw new ServerError('JSInterpreterFailure', CODE_TOO_LONG);
    if (isTooNested(code)) throw new ServerError('JSInterpreterFailure', TOO_NESTED);
    if (bigInteger.test(code)) throw new ServerError('JSInterpreterFailure', NO_BIG_INTEGERS);
    const asFunction = /^\s*(async\s+)?function\b|^\s*(\([^()]*\)|[\w$]+)\s*=>/.test(code);
    const sources = asFunction
      ? [`(${code.replace(/;\s*$/, '')}\n)`]
      : [`(function(){ return (${code.replace(/;\s*$/, '')}\n) })`, `(function(){ ${code}\n})`];
    let failed: QuickJSHandle | undefined;
    for (const source of sources) {
      failed?.dispose();
      const result = this.#context.evalCode(source, '');
      if (!result.error) return result.value;
      failed = result.error;
    }
    throw this.#failure(failed as QuickJSHandle);
  }

  #failure(handle: QuickJSHandle): unknown {
    const error: unknown = this.#context.dump(handle);
    handle.dispose();
    if (this.#stopped !== undefined) return this.#stopped;
    return new ServerError('JSInterpreterFailure', describeFailure(error));
  }
}

/**
 * Matches BigInt literals, which scripts cannot use. Converting a BigInt of a million bits to decimal text takes 13 s,
 * and the interpreter cannot be interrupted meanwhile. The prelude rejects such literals in code that scripts create.
 */
const bigInteger = /(?<![\w$])\d[\da-fA-FxXoO_]*n(?![\w$])/;
const CODE_TOO_LONG = `SyntaxError: code of more than ${MAX_CODE} characters`;
const TOO_NESTED = `SyntaxError: code with more than ${MAX_NESTING} nested brackets`;
const STACK_OVERFLOW = 'InternalError: stack overflow';
const NO_BIG_INTEGERS = 'SyntaxError: scripts cannot use BigInt; NumberLong holds integers of 64 bits';

function describeFailure(error: unknown): string {
  if (typeof error !== 'object' || error === null) return `uncaught exception: ${String(error)}`;
  const { name, message, stack } = error as { name?: unknown; message?: unknown; stack?: unknown };
  if (message === undefined) return `uncaught exception: ${JSON.stringify(error)}`;
  const where =
    typeof stack === 'string'
      ? stack
          .trim()
          .split('\n')
          .map((line) => line.trim())
      : [];
  return `${name ?? 'Error'}: ${message} :\n${where.filter((line) => !line.includes('prelude')).join('\n')}`;
}
