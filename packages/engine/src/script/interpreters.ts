import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import type { QuickJSSyncVariant, QuickJSWASMModule } from 'quickjs-emscripten-core';
import { WaitForPreparation } from '../errors/interruption.ts';
import { FIRST_PAGES, MAX_INTERPRETERS, MAX_PAGES, PAGE_BYTES, TURNS_PER_CHECK } from './bounds.ts';
import { countLoops } from './counted-loops.ts';

/** An interpreter with memory of its own. It can therefore be abandoned while it runs a native function. */
export interface Interpreter {
  readonly module: QuickJSWASMModule;
  readonly memory: { readonly buffer: ArrayBufferLike };
  /**
   * Called by native functions after `TURNS_PER_CHECK` iterations of their loops. If it throws, the
   * interpreter is unusable.
   */
  check: () => void;
}

/** The types of Node.js declare `WebAssembly` without its constructors. */
interface Assembly {
  readonly Memory: new (pages: {
    initial: number;
    maximum: number;
  }) => {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  };
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: Imports): Promise<object>;
}
type Imports = Readonly<Record<string, Record<string, (value: number) => unknown>>>;

const assembly = Reflect.get(globalThis, 'WebAssembly') as Assembly;

/** The package publishes only the types of its CommonJS build. As an ES module, it exports the variant as `default`. */
interface Variant {
  readonly default: QuickJSSyncVariant;
}
type Core = typeof import('quickjs-emscripten-core');

/**
 * The names of the module's imports, and the index of the import `interrupts` among the imported functions. The
 * interpreter calls `interrupts` with the address of a runtime, and a counted loop calls it with 0.
 */
const IMPORTS = { module: 'a', interrupts: 'i', interruptsIndex: 7, grow: 'k' } as const;

/** Manages the interpreters of a thread. Their code, which takes about 10 MB, is loaded on first use. */
export class Interpreters {
  readonly #idle: Interpreter[] = [];
  #code: Promise<{ core: Core; variant: QuickJSSyncVariant; code: object }> | undefined;
  #filling: Promise<void> | undefined;
  /** Number of interpreters in use. */
  #taken = 0;
  /** The memory of interpreters that are in use or idle. */
  readonly #memories = new Set<{ readonly buffer: ArrayBuffer }>();

  /** Throws `WaitForPreparation` until an interpreter is idle. */
  prepare(): void {
    if (this.#idle.length > 0) return;
    throw new WaitForPreparation(this.#fill());
  }

  get isEmpty(): boolean {
    return this.#idle.length === 0;
  }

  take(): Interpreter {
    this.prepare();
    this.#taken++;
    return this.#idle.pop() as Interpreter;
  }

  /** Takes back an interpreter, which must have no runtimes. */
  giveBack(interpreter: Interpreter): void {
    interpreter.check = () => undefined;
    this.#taken--;
    this.#idle.push(interpreter);
  }

  /** Replaces an interpreter whose state is unknown, or whose memory has grown. Memory never shrinks. */
  discard({ memory }: Interpreter): void {
    this.#taken--;
    this.#memories.delete(memory as { readonly buffer: ArrayBuffer });
    void this.#fill().catch(() => undefined);
  }

  #fill(): Promise<void> {
    this.#filling ??= this.#addMissing().finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  async #addMissing(): Promise<void> {
    while (this.#idle.length + this.#taken < MAX_INTERPRETERS) {
      this.#idle.push(await this.#create());
      await setImmediate();
    }
  }

  async #create(): Promise<Interpreter> {
    this.#code ??= loadCode();
    const { core, variant, code } = await this.#code;
    const memory = new assembly.Memory({ initial: FIRST_PAGES, maximum: MAX_PAGES });
    let made: Interpreter | undefined;
    const instantiateWasm = (imports: Imports, done: (instance: object) => void) => {
      const functions = imports[IMPORTS.module] as Imports[string];
      const { [IMPORTS.interrupts]: interrupts, [IMPORTS.grow]: grow } = functions;
      functions[IMPORTS.interrupts] = (runtime) => {
        if (runtime !== 0) return interrupts?.(runtime);
        made?.check();
        return TURNS_PER_CHECK;
      };
      functions[IMPORTS.grow] = (size) => this.#allows(size - memory.buffer.byteLength) && grow?.(size);
      void assembly.instantiate(code, imports).then(done);
    };
    const own = core.newVariant(variant, {
      wasmMemory: memory,
      emscriptenModule: { instantiateWasm } as object,
    });
    made = { module: await core.newQuickJSWASMModuleFromVariant(own), memory, check: () => undefined };
    this.#memories.add(memory);
    return made;
  }

  /** True if an interpreter may allocate this many more bytes. */
  #allows(bytes: number): boolean {
    const first = FIRST_PAGES * PAGE_BYTES;
    const grown = [...this.#memories].reduce((sum, { buffer }) => sum + buffer.byteLength - first, 0);
    return grown + bytes <= MAX_PAGES * PAGE_BYTES - first;
  }
}

async function loadCode(): Promise<{ core: Core; variant: QuickJSSyncVariant; code: object }> {
  const core = await import('quickjs-emscripten-core');
  const { default: variant } = (await import('@jitl/quickjs-wasmfile-release-sync')) as unknown as Variant;
  const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  const counted = await countLoops(await readFile(file), {
    index: IMPORTS.interruptsIndex,
    first: TURNS_PER_CHECK,
  });
  return { core, variant, code: await assembly.compile(counted) };
}
