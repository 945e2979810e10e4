import { bsonTypes } from '../../bson/bson-types.ts';
import type { Comparison } from '../../bson/collation/comparison.ts';
import { DocumentWriter } from '../../bson/document-writer.ts';
import { PackedValues } from '../../bson/packed.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { int32Of, nullValue, type Value } from '../../bson/value.ts';
import type { Statement } from '../../statement/statement.ts';
import { groupKey, wrappedExtreme } from '../expression/accumulators/grouped-value.ts';
import type { AccumulatedField, Accumulator } from '../expression/accumulators/index.ts';
import type { Expression } from '../expression/expression.ts';
import { type Run, readRun, writeRun } from '../spill/runs.ts';
import { keptBytes } from '../spill/stored-metadata.ts';
import {
  noDiskFor,
  OVERHEAD,
  outOfMemory,
  type SpillFile,
  StageMemory,
  type Workspace,
} from '../workspace.ts';

export interface Grouping {
  readonly id: Expression;
  readonly fields: readonly AccumulatedField[];
  readonly comparison: Comparison;
  readonly workspace: Workspace;
  readonly statement: Statement;
}

interface Group {
  readonly id: Value;
  readonly accumulators: readonly Accumulator[];
  /** The accumulators of the group that need more memory for more input. */
  readonly growing: readonly Accumulator[];
}

/**
 * Number of partitions into which documents are spilled once new groups exceed the memory limit. Each partition is
 * grouped separately.
 */
const PARTS = 16;
/** Estimated memory of an accumulator, in addition to the bytes of the values that it keeps. */
const ACCUMULATOR_BYTES = 512;
/** Number of bytes that are buffered per partition before they are written. */
const WAITING_BYTES = 1 << 18;

/**
 * Yields one document per group. Groups in memory come first, in order of appearance. The groups of spilled
 * documents follow.
 */
export function* grouped(docs: Iterable<RawDocument>, grouping: Grouping, depth = 0): Generator<RawDocument> {
  const groups = new Groups(grouping, depth);
  try {
    for (const doc of docs) {
      grouping.statement.check();
      groups.add(doc);
    }
    yield* groups.results();
    for (const part of groups.parts()) yield* grouped(part, grouping, depth + 1);
  } finally {
    groups.close();
  }
}

const none: readonly Accumulator[] = [];

class Groups {
  readonly #grouping: Grouping;
  readonly #depth: number;
  readonly #most: number;
  readonly #groups = new Map<string, Group>();
  /** The groups whose key is an int32, for a faster lookup. */
  readonly #byInteger = new Map<number, Group>();
  readonly #ids = new PackedValues();
  readonly #memory: StageMemory;
  #file: SpillFile | undefined;
  readonly #parts: Part[] = [];

  constructor(grouping: Grouping, depth: number) {
    this.#grouping = grouping;
    this.#memory = new StageMemory(grouping.workspace);
    this.#depth = depth;
    this.#most = grouping.workspace.bytes('group');
  }

  add(doc: RawDocument): void {
    const scope = { root: doc };
    const value = this.#grouping.id.evaluate(scope) ?? nullValue;
    const group = this.#groupOf(value, doc);
    if (group === undefined) return;
    const { accumulators, growing } = group;
    if (growing.length === 0) for (const accumulator of accumulators) accumulator.add(scope);
    else {
      const before = sizeOf(growing);
      for (const accumulator of accumulators) accumulator.add(scope);
      this.#grow(sizeOf(growing) - before);
    }
  }

  /** Returns the group of a document, or undefined if the document was spilled. */
  #groupOf(value: Value, doc: RawDocument): Group | undefined {
    // Fast path for integers: encoding a key costs more than the rest of a `$sum`.
    const integer = value.type === bsonTypes.int ? int32Of(value) : undefined;
    const known = integer === undefined ? undefined : this.#byInteger.get(integer);
    if (known !== undefined) return known;
    const key = this.#grouping.comparison.keyText(value);
    let group = this.#groups.get(key);
    if (group === undefined) {
      if (this.#memory.bytes > this.#most) {
        this.#putOff(key, doc);
        return undefined;
      }
      group = this.#create(key, this.#ids.copyOf(value));
    }
    if (integer !== undefined) this.#byInteger.set(integer, group);
    return group;
  }

  *results(): Generator<RawDocument> {
    for (const group of this.#groups.values()) yield this.#resultOf(group);
    this.#groups.clear();
    this.#byInteger.clear();
    this.#memory.bytes = 0;
  }

  /** Yields the spilled documents of each partition. */
  *parts(): Generator<Iterable<RawDocument>> {
    const file = this.#file;
    if (file === undefined) return;
    for (const part of this.#parts) if (part !== undefined) yield part.documents(file);
  }

  close(): void {
    this.#file?.close();
    this.#memory.bytes = 0;
  }

  #create(key: string, id: Value): Group {
    const root = id.type === bsonTypes.object ? documentOf(id) : RawDocument.empty;
    const accumulators = this.#grouping.fields.map(({ create }) => create(root));
    const growing = accumulators.length === 0 ? none : accumulators.filter(({ size }) => size !== undefined);
    const group = { id, accumulators, growing };
    this.#groups.set(key, group);
    this.#memory.bytes += key.length * 2 + (id.end - id.start) + 2 * OVERHEAD;
    this.#memory.bytes += ACCUMULATOR_BYTES * accumulators.length;
    if (this.#memory.bytes > this.#most && !this.#grouping.workspace.disk) throw noDiskFor('$group');
    return group;
  }

  /**
   * Counts the memory by which groups grow. If the stage can spill to disk, growing groups may exceed the memory limit
   * by up to a factor of three.
   */
  #grow(bytes: number): void {
    this.#memory.bytes += bytes;
    if (this.#memory.bytes <= this.#most) return;
    if (!this.#grouping.workspace.disk) throw noDiskFor('$group');
    if (this.#memory.bytes > this.#most * 3) {
      throw outOfMemory(
        '$group used too much memory for groups that are still growing',
        'ExceededMemoryLimit',
      );
    }
  }

  #putOff(key: string, doc: RawDocument): void {
    this.#file ??= this.#grouping.workspace.open();
    const place = partOf(key, this.#depth);
    const part = this.#parts[place] ?? new Part();
    this.#parts[place] = part;
    part.add(doc, this.#file);
  }

  #resultOf({ id, accumulators }: Group): RawDocument {
    const { fields, id: key } = this.#grouping;
    const writer = new DocumentWriter();
    const start = writer.begin();
    // The server does not wrap or convert a constant key.
    writer.field('_id', key.constant === undefined ? groupKey(id) : id);
    for (let i = 0; i < fields.length; i++) {
      const { name, picks } = fields[i] as AccumulatedField;
      const result = accumulators[i]?.result() ?? nullValue;
      writer.field(name, picks ? wrappedExtreme(result) : result);
    }
    writer.end(start);
    return new RawDocument(writer.finish());
  }
}

function sizeOf(growing: readonly Accumulator[]): number {
  let size = 0;
  for (const accumulator of growing) size += accumulator.size ?? 0;
  return size;
}

/** Returns the partition of a key. The hash depends on the depth, so that grouping a partition can split it again. */
function partOf(key: string, depth: number): number {
  let hash = 0x811c9dc5 ^ depth;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return ((hash >>> 16) ^ hash) & (PARTS - 1);
}

class Part {
  readonly #runs: Run[] = [];
  #waiting: RawDocument[] = [];
  #bytes = 0;

  add(given: RawDocument, file: SpillFile): void {
    const doc = given.compact();
    this.#waiting.push(doc);
    this.#bytes += keptBytes(doc);
    if (this.#bytes < WAITING_BYTES) return;
    this.#runs.push(writeRun(file, this.#waiting));
    this.#waiting = [];
    this.#bytes = 0;
  }

  *documents(file: SpillFile): Generator<RawDocument> {
    for (const run of this.#runs) yield* readRun(file, run);
    yield* this.#waiting;
  }
}
