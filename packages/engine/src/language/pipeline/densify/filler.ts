import { byBytes, type Comparison } from '../../../bson/collation/comparison.ts';
import { compareValues } from '../../../bson/compare.ts';
import { RawDocument } from '../../../bson/raw.ts';
import type { Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Statement } from '../../../statement/statement.ts';
import type { Environment } from '../../environment.ts';
import { isNullish } from '../../expression/operator.ts';
import { documentWith, fieldAt, withField } from '../document-fields.ts';
import type { Range } from './range.ts';

/** The server's limit on inserted documents. */
const MAX_DOCUMENTS = 500_000;

export interface Densify {
  readonly field: readonly string[];
  readonly partitionBy: ReadonlyArray<readonly string[]>;
  readonly range: Range;
}

interface Partition {
  /** The fields of the partition key, taken from the last document of the partition. */
  fields: RawDocument;
  /** The next value that must exist. */
  next: Value;
}

/** Inserts missing documents into a sorted sequence. */
export class Filler {
  readonly #densify: Densify;
  readonly #comparison: Comparison;
  readonly #statement: Statement;
  readonly #partitions = new Map<string, Partition>();
  /** The bounds that all partitions share; absent if each partition has its own. */
  #ends: { readonly first: Value; readonly last: Value; readonly inclusive: boolean } | undefined;
  #made = 0;

  constructor(densify: Densify, { comparison = byBytes, statement }: Environment) {
    this.#densify = densify;
    this.#comparison = comparison;
    this.#statement = statement;
    const { bounds } = densify.range;
    if (typeof bounds === 'string') return;
    this.#ends = { first: bounds[0], last: bounds[1], inclusive: false };
    // Without partitions, fill the range even if there is no document.
    if (densify.partitionBy.length === 0) this.#partition(RawDocument.empty, bounds[0]);
  }

  /** Determines the bounds from all documents, which must be sorted. */
  setEnds(sorted: Iterable<RawDocument>): void {
    let first: Value | undefined;
    let last: Value | undefined;
    for (const doc of sorted) {
      const value = fieldAt(doc, this.#densify.field);
      if (value === undefined || isNullish(value)) continue;
      first ??= value;
      last = value;
    }
    if (first === undefined || last === undefined) return;
    for (const value of [first, last]) this.#densify.range.check(value);
    this.#ends = { first, last, inclusive: true };
  }

  /**
   * Yields the documents that are missing before `doc` in its partition. `value` is the value of the
   * densified field in `doc`.
   */
  *before(doc: RawDocument, value: Value): Iterable<RawDocument> {
    const { range, partitionBy } = this.#densify;
    range.check(value);
    const values = partitionBy.map((path) => [path, fieldAt(doc, path)] as const);
    const fields = documentWith(values, this.#statement);
    const partition = this.#partition(fields, this.#ends?.first ?? value);
    yield* this.#until(partition, value);
    if (compareValues(partition.next, value) === 0) partition.next = range.next(partition.next);
  }

  /** Yields the documents that are missing at the end of each partition. */
  *rest(): Iterable<RawDocument> {
    const ends = this.#ends;
    if (ends === undefined) return;
    if (this.#partitions.size === 0) this.#partition(RawDocument.empty, ends.first);
    for (const partition of this.#partitions.values()) {
      yield* this.#until(partition, ends.last);
      if (ends.inclusive && compareValues(partition.next, ends.last) === 0) {
        yield this.#document(partition);
      }
    }
  }

  #partition(fields: RawDocument, next: Value): Partition {
    const key = this.#comparison.keyText(fields.toValue());
    const known = this.#partitions.get(key);
    if (known !== undefined) {
      known.fields = fields;
      return known;
    }
    const made = { fields, next };
    this.#partitions.set(key, made);
    return made;
  }

  *#until(partition: Partition, value: Value): Iterable<RawDocument> {
    const ends = this.#ends;
    const beforeEnd = () =>
      ends === undefined || ends.inclusive || compareValues(partition.next, ends.last) < 0;
    while (compareValues(partition.next, value) < 0 && beforeEnd()) {
      this.#statement.check();
      yield this.#document(partition);
      partition.next = this.#densify.range.next(partition.next);
    }
  }

  #document({ fields, next }: Partition): RawDocument {
    this.#made++;
    if (this.#made > MAX_DOCUMENTS) {
      throw new ServerError(
        5897900,
        `Generated ${this.#made} documents in $densify, which is over the limit of ${MAX_DOCUMENTS}. ` +
          "Increase the 'internalQueryMaxAllowedDensifyDocs' parameter to allow more generated documents",
      );
    }
    return withField(fields, this.#densify.field, next);
  }
}
