import { bsonTypes } from '../../bson/bson-types.ts';
import type { Comparison } from '../../bson/collation/comparison.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { nullValue, type Value } from '../../bson/value.ts';
import type { Statement } from '../../statement/statement.ts';
import { arrayOf } from '../expression/field-path.ts';
import { compileFilter } from '../filter/compile.ts';
import type { Filter } from '../filter/filter.ts';
import type { Path } from '../paths.ts';
import { noDiskFor, OVERHEAD, STAGE_BYTES, StageMemory } from '../workspace.ts';
import { bytesOfKeys, keyOf, keysMetAt, valuesAt } from './path-values.ts';
import type { Namespace, PipelineEnvironment } from './pipeline-environment.ts';
import type { StageContext } from './stage.ts';

export interface Join {
  readonly from?: Namespace;
  readonly local?: Path;
  readonly foreign?: Path;
}

/**
 * The documents that a join looks up. If an index supports the join condition, the matching documents are
 * read for each input document. Otherwise, all documents are read once and kept in memory by join key, if
 * they fit.
 */
export class ForeignDocuments {
  readonly #join: Join;
  readonly #pipelineEnvironment: PipelineEnvironment;
  readonly #comparison: Comparison | undefined;
  readonly #statement: Statement;
  #all: readonly RawDocument[] | undefined;
  readonly #memory: StageMemory;
  readonly #depth: number;
  #tooMany = false;
  #places: ReadonlyMap<string, readonly number[]> | undefined;

  /** `own` are the documents of a `$documents` stage, used instead of a collection. */
  constructor(
    join: Join,
    {
      pipelineEnvironment,
      environment,
      depth,
    }: Pick<StageContext, 'pipelineEnvironment' | 'environment' | 'depth'>,
    own?: Iterable<RawDocument>,
  ) {
    const { comparison, statement, workspace } = environment;
    this.#depth = depth;
    this.#join = join;
    this.#pipelineEnvironment = pipelineEnvironment;
    this.#comparison = comparison;
    this.#statement = statement;
    this.#memory = new StageMemory(workspace);
    if (own !== undefined) this.#all = [...own];
  }

  /** Releases the counted memory. Must be called when the join has ended. */
  close(): void {
    this.#memory.bytes = 0;
  }

  /**
   * Returns the documents whose join key equals a value of `doc`. `filter` is a hint: documents that do not match it
   * may be omitted.
   */
  meeting(doc: RawDocument, filter: Filter | undefined): Iterable<RawDocument> {
    const { from, local, foreign } = this.#join;
    if (local === undefined || foreign === undefined) {
      return from === undefined ? [] : this.#everything(from, filter);
    }
    const present = valuesAt(local, doc);
    // A join treats a missing value like null.
    const values = present.length === 0 ? [nullValue] : present;
    if (this.#all === undefined && from !== undefined) {
      const equal = equalityWith(foreign, values);
      if (this.#comparison === undefined && this.#pipelineEnvironment.selective?.(from, equal)) {
        return this.#matching(from, equal);
      }
      if (!this.#gather(from) || !this.#index(foreign)) return this.#matching(from, equal);
    }
    return this.#found(foreign, values);
  }

  *#matching(from: Namespace, filter: Filter): Iterable<RawDocument> {
    for (const doc of this.#pipelineEnvironment.read(from, filter, this.#depth)) {
      this.#statement.check();
      if (filter.matches(doc)) yield doc;
    }
  }

  #everything(from: Namespace, filter: Filter | undefined): Iterable<RawDocument> {
    if (this.#all !== undefined) return this.#all;
    const selective = filter !== undefined && this.#pipelineEnvironment.selective?.(from, filter);
    if (selective || !this.#gather(from)) return this.#pipelineEnvironment.read(from, filter, this.#depth);
    return this.#all ?? [];
  }

  /** Reads all documents into memory; returns false if they exceed the limit. */
  #gather(from: Namespace): boolean {
    if (this.#tooMany) return false;
    const all: RawDocument[] = [];
    for (const given of this.#pipelineEnvironment.read(from, undefined, this.#depth)) {
      this.#statement.check();
      const doc = given.compact();
      all.push(doc);
      this.#memory.bytes += doc.length + OVERHEAD;
      if (this.#memory.bytes <= STAGE_BYTES) continue;
      this.#tooMany = true;
      this.#memory.bytes = 0;
      return false;
    }
    this.#all = all;
    return true;
  }

  /** Groups the documents in memory by their join keys. Discards them and returns false if the keys exceed the limit. */
  #index(path: Path): boolean {
    if (this.#places !== undefined || this.#all === undefined) return true;
    const places = new Map<string, number[]>();
    for (const [place, doc] of this.#all.entries()) {
      this.#statement.check();
      const keys = keysMetAt(path, doc, this.#comparison);
      this.#memory.bytes += bytesOfKeys(keys);
      for (const key of keys) {
        const found = places.get(key);
        if (found === undefined) places.set(key, [place]);
        else found.push(place);
      }
      if (this.#memory.bytes <= STAGE_BYTES) continue;
      this.#all = undefined;
      this.#tooMany = true;
      this.#memory.bytes = 0;
      return false;
    }
    this.#places = places;
    return true;
  }

  #found(foreign: Path, values: readonly Value[]): RawDocument[] {
    const all = this.#all ?? [];
    if (!this.#index(foreign)) throw noDiskFor('$lookup');
    const places = new Set<number>();
    for (const key of new Set(values.map((value) => keyOf(value, this.#comparison)))) {
      for (const place of this.#places?.get(key) ?? []) {
        this.#statement.check();
        places.add(place);
      }
    }
    return [...places].sort((a, b) => a - b).map((place) => all[place] as RawDocument);
  }
}

/**
 * Returns a filter for documents that have one of the values at the path. Regular expressions count as plain values.
 */
function equalityWith(path: Path, values: readonly Value[]): Filter {
  const one = (name: string, operand: Value) =>
    writeDocument((writer) => writer.field(name, operand)).toValue();
  const plain = values.filter(({ type }) => type !== bsonTypes.regex);
  const conditions = [
    one(path.text, one('$in', arrayOf(plain))),
    ...values
      .filter(({ type }) => type === bsonTypes.regex)
      .map((pattern) => one(path.text, one('$eq', pattern))),
  ];
  const [only] = conditions;
  const spec = conditions.length === 1 && only ? only : one('$or', arrayOf(conditions));
  return compileFilter(writeDocument((writer) => writer.field('$and', arrayOf([spec]))));
}
