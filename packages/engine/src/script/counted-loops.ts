import { setImmediate } from 'node:timers/promises';

/**
 * Adds a counter to every loop of a WebAssembly module, so that the module regularly calls the host. During this call,
 * the host can stop the module. The counter is a global variable that starts at `asked.first`. Each iteration of a loop
 * decreases it by 1. An instruction that copies or fills bytes decreases it in proportion to their number. When the
 * counter is negative, the module calls the imported function number `asked.index` with the argument 0. The result of
 * the call is the next value of the counter.
 *
 * The format: https://webassembly.github.io/spec/core/binary/.
 */
export async function countLoops(
  module: Uint8Array,
  asked: { readonly index: number; readonly first: number },
): Promise<Uint8Array> {
  const reader = new Reader(module);
  reader.at = HEADER_BYTES;
  const out: number[] = [...module.subarray(0, HEADER_BYTES)];
  const known: Known = { parameters: [], types: [], count: 0, ask: asked.index };
  while (reader.at < module.length) {
    const [id, size] = [reader.byte(), reader.number()];
    const end = reader.at + size;
    const content = await changedSection(id, reader, end, known, asked.first);
    out.push(id, ...leb(content?.length ?? size));
    append(out, content ?? module.subarray(end - size, end));
    reader.at = end;
  }
  return Uint8Array.from(out);
}

/** Data from earlier sections of the module that the changes of its code need. */
interface Known {
  /** The number of parameters of each type. */
  readonly parameters: number[];
  /** The type of each function that has code. */
  readonly types: number[];
  /** The index of the global variable that is the counter. */
  count: number;
  readonly ask: number;
}

type Bytes = ArrayLike<number> & Iterable<number>;

const HEADER_BYTES = 8;
const SECTION = { types: 1, functions: 3, globals: 6, code: 10 } as const;
const I32 = 0x7f;
/** Number of functions that are changed before other work can run. This takes about 5 ms. */
const FUNCTIONS_AT_ONCE = 100;
/** Binary logarithm of the number of bytes that can be copied in the time of one loop iteration. */
const BYTES_PER_TURN = 4;

async function changedSection(
  id: number,
  reader: Reader,
  end: number,
  known: Known,
  first: number,
): Promise<number[] | undefined> {
  if (id === SECTION.types) {
    for (let left = reader.number(); left > 0; left--) known.parameters.push(reader.parameters());
  } else if (id === SECTION.functions) {
    for (let left = reader.number(); left > 0; left--) known.types.push(reader.number());
  } else if (id === SECTION.globals) {
    known.count = reader.number();
    const globals = reader.bytes.subarray(reader.at, end);
    return [...leb(known.count + 1), ...globals, I32, 1, OP.i32Const, ...signedLeb(first), OP.end];
  } else if (id === SECTION.code) {
    const out = leb(reader.number());
    for (const [i, type] of known.types.entries()) {
      if (i % FUNCTIONS_AT_ONCE === 0) await setImmediate();
      const body = changedBody(reader, known.parameters[type] ?? 0, known);
      append(out, leb(body.length));
      append(out, body);
    }
    return out;
  }
  return undefined;
}

function changedBody(reader: Reader, parameters: number, known: Known): number[] {
  const end = reader.number() + reader.at;
  const groups = reader.number();
  const from = reader.at;
  let locals = parameters;
  for (let left = groups; left > 0; left--) {
    locals += reader.number();
    reader.byte();
  }
  // Add one local variable, for the size of a block.
  const out = [...leb(groups + 1), ...reader.bytes.subarray(from, reader.at), 1, I32];
  while (reader.at < end) {
    const start = reader.at;
    const kind = reader.skipInstruction();
    if (kind === 'block') append(out, countedBlock(known, locals));
    append(out, reader.bytes.subarray(start, reader.at));
    if (kind === 'loop') append(out, counted(known, [OP.i32Const, 1]));
  }
  return out;
}

/** Returns code that subtracts a number from the counter and, if the result is negative, calls the host. */
function counted({ count, ask }: Known, amount: Bytes): number[] {
  const get = [OP.globalGet, ...leb(count)];
  const set = [OP.globalSet, ...leb(count)];
  return [
    ...[...get, ...amount, OP.i32Sub, ...set],
    ...[...get, OP.i32Const, 0, OP.i32LessSigned, OP.if, OP.noResult],
    ...[OP.i32Const, 0, OP.call, ...leb(ask), ...set, OP.end],
  ];
}

/** Returns the code before an instruction that copies or fills a block. The size of the block is on the stack. */
function countedBlock(known: Known, local: number): number[] {
  const size = [OP.localGet, ...leb(local), OP.i32Const, BYTES_PER_TURN, OP.i32ShiftRight];
  return [OP.localTee, ...leb(local), OP.drop, ...counted(known, size), OP.localGet, ...leb(local)];
}

function append(out: number[], bytes: Bytes): void {
  for (let i = 0; i < bytes.length; i++) out.push(bytes[i] as number);
}

function leb(value: number): number[] {
  const out: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...out, rest];
    out.push((rest & 0x7f) | 0x80);
  }
}

function signedLeb(value: number): number[] {
  const out: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    if (rest >= -0x40 && rest < 0x40) return [...out, rest & 0x7f];
    out.push((rest & 0x7f) | 0x80);
  }
}

const OP = {
  ...{ if: 0x04, end: 0x0b, call: 0x10, drop: 0x1a, localGet: 0x20, localTee: 0x22, noResult: 0x40 },
  ...{
    globalGet: 0x23,
    globalSet: 0x24,
    i32Const: 0x41,
    i32LessSigned: 0x48,
    i32Sub: 0x6b,
    i32ShiftRight: 0x76,
  },
} as const;

type Skip = (reader: Reader) => void;
const one: Skip = (reader) => reader.skipNumber();
const two: Skip = (reader) => {
  one(reader);
  one(reader);
};
const list: Skip = (reader) => {
  for (let left = reader.number(); left > 0; left--) one(reader);
};

/** How to skip the operands of instructions, by opcode. All other opcodes from 0x45 to 0xc4 have no operands. */
const immediates = new Map<number, Skip>([
  ...[0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, 0xd1].map((op): [number, Skip] => [op, () => undefined]),
  // Each of these instructions has one integer as its operand, such as the type of a block or the index of a local
  // variable.
  ...[0x02, 0x03, 0x04, 0x0c, 0x0d, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26].map(
    (op): [number, Skip] => [op, one],
  ),
  ...[0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2].map((op): [number, Skip] => [op, one]),
  [
    0x0e,
    (reader) => {
      list(reader);
      one(reader);
    },
  ],
  [0x11, two],
  [0x1c, list],
  ...Array.from({ length: 0x3f - 0x28 }, (_, i): [number, Skip] => [0x28 + i, two]),
  [0x43, (reader) => reader.skip(4)],
  [0x44, (reader) => reader.skip(8)],
]);
/** How to skip the operands of instructions after the prefix 0xfc. */
const prefixed: readonly Skip[] = [
  ...Array.from({ length: 8 }, (): Skip => () => undefined),
  ...[two, one, two, one, two, one, two, one, one, one],
];
const MEMORY_COPY = 10;
const MEMORY_FILL = 11;

class Reader {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  byte(): number {
    return this.bytes[this.at++] ?? 0;
  }

  skip(bytes: number): void {
    this.at += bytes;
  }

  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  skipNumber(): void {
    while (this.byte() >= 0x80);
  }

  /** Reads the type of a function. Returns the number of its parameters. */
  parameters(): number {
    this.byte();
    const count = this.number();
    this.at += count;
    const results = this.number();
    this.at += results;
    return count;
  }

  skipInstruction(): 'loop' | 'block' | undefined {
    const op = this.byte();
    if (op === 0xfc) {
      const second = this.number();
      const skip = prefixed[second];
      if (skip === undefined) throw new Error(`unknown WebAssembly instruction 0xfc ${second}`);
      skip(this);
      return second === MEMORY_COPY || second === MEMORY_FILL ? 'block' : undefined;
    }
    const skip = immediates.get(op);
    if (skip !== undefined) skip(this);
    else if (op < 0x45 || op > 0xc4) throw new Error(`unknown WebAssembly instruction ${op}`);
    return op === 0x03 ? 'loop' : undefined;
  }
}
