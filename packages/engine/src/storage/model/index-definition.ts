import { bsonTypes } from '../../bson/bson-types.ts';
import {
  COLLATION_VERSION,
  type CollationSpec,
  compileCollation,
  orderingBy,
  readCollation,
} from '../../bson/collation/index.ts';
import type { Direction } from '../../bson/keys.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { type Element, isNumber, textOf, type Value } from '../../bson/value.ts';
import { type Environment, noEnvironment } from '../../language/environment.ts';
import { compileFilter, type Filter } from '../../language/filter/index.ts';
import { compiledFilter } from '../../language/filter/stored-filters.ts';
import { type Path, pathOf } from '../../language/paths.ts';
import { type ArrayPaths, type Arrays, decodeArrays, depthsOn, type MultikeyPaths } from './multikey.ts';
import type { ValueTypes } from './value-types.ts';

/** The kind of an index. Its first wildcard or special part determines it. */
export type IndexKind = 'ordinary' | 'hashed' | 'wildcard' | 'text' | '2d' | '2dsphere';

export interface IndexPart {
  readonly path: Path;
  readonly direction: Direction;
  /** True if the index contains a hash of the value. */
  readonly hashed: boolean;
  /** True if the part covers all fields below its path. */
  readonly wildcard: boolean;
}

/** A row of the table of indexes. */
export interface IndexRow {
  readonly number: number;
  /** The specification in the format of `listIndexes`. */
  readonly spec: RawDocument;
  readonly multikey: string;
  /** The types of the values; absent if they are unknown. */
  readonly types?: ValueTypes | undefined;
  /** The version of collations for which the keys were computed; by default the present one. */
  readonly collationVersion?: string | null;
}

/** An index, parsed from its specification. */
export class IndexDefinition {
  readonly number: number;
  readonly spec: RawDocument;
  readonly name: string;
  readonly key: RawDocument;
  readonly kind: IndexKind;
  readonly parts: readonly IndexPart[];
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly hidden: boolean;
  /** True if only new documents must be unique. */
  readonly prepareUnique: boolean;
  /** The definition of the filter of a partial index. */
  readonly partialFilter: RawDocument | undefined;
  readonly expireAfterSeconds: number | undefined;
  readonly collated: boolean;
  /** The collation with all options; undefined if strings compare by bytes. */
  readonly collation: string | undefined;
  /** The version of collations for which the keys were computed. */
  readonly collationVersion: string | null;
  /**
   * True if the keys must be computed again: they were computed for another version of the collation, or by an earlier
   * version of the engine, which the migration of the file marks by the collation version null.
   */
  readonly outdated: boolean;
  /** Maps values that are equal under the collation to one value. */
  readonly fold: ((value: Value) => Value) | undefined;
  /** True if the index was dropped, which ends its scans. */
  dropped = false;
  /** Number of times that queries have used the index. */
  uses = 0;
  /** The positions of arrays in documents. Grows as documents are written. */
  arrays: Arrays;
  /**
   * The types of the values so far. Grows as documents are written. Defined only for ordinary indexes whose values were
   * all recorded.
   */
  types: ValueTypes | undefined;

  constructor({ number, spec, multikey, types, collationVersion = COLLATION_VERSION }: IndexRow) {
    this.number = number;
    this.spec = spec;
    this.name = spec.string('name') ?? '';
    this.key = spec.document('key') ?? RawDocument.empty;
    this.kind = kindOf(this.key);
    this.parts = [...this.key].map(partOf);
    this.unique = spec.bool('unique') === true;
    this.sparse = spec.bool('sparse') === true;
    this.prepareUnique = spec.bool('prepareUnique') === true;
    this.partialFilter = spec.document('partialFilterExpression');
    const seconds = spec.get('expireAfterSeconds');
    this.expireAfterSeconds = seconds && isNumber(seconds) ? toNumber(seconds) : undefined;
    this.collated = spec.has('collation');
    const collation = readSpec(spec);
    this.collation = collation && JSON.stringify(collation);
    this.collationVersion = collationVersion;
    const isCompoundWildcard = this.kind === 'wildcard' && this.parts.length > 1;
    this.outdated =
      (collation !== undefined && this.hasKeys && collationVersion !== COLLATION_VERSION) ||
      (isCompoundWildcard && collationVersion === null);
    // Hide an outdated index, because queries would miss documents in it.
    this.hidden = spec.bool('hidden') === true || this.outdated;
    this.fold = collation && orderingBy(collation);
    this.arrays = decodeArrays(multikey, this.parts.length);
    this.types = types;
  }

  get multikey(): MultikeyPaths {
    return this.arrays.multikey;
  }

  /** Returns the depths at which documents in a wildcard index may have arrays on a path. */
  arraysOn(path: string): ReadonlySet<number> {
    return depthsOn(path, this.arrays);
  }

  /** The compiled filter of a partial index, from a cache if possible. */
  get partial(): Filter | undefined {
    const { partialFilter, spec } = this;
    return (
      partialFilter && compiledFilter(partialFilter, () => compileFilter(partialFilter, comparing(spec)))
    );
  }

  get table(): string {
    return indexTableName(this.number);
  }

  /** False for text indexes, for which only the specification is stored. */
  get hasKeys(): boolean {
    return this.kind !== 'text';
  }

  /** True if the keys can answer queries that have no collation. Geospatial keys show only that a location exists. */
  get answersQueries(): boolean {
    return this.hasKeys && !this.isGeographic && !this.collated;
  }

  get isGeographic(): boolean {
    return this.kind === '2d' || this.kind === '2dsphere';
  }

  /** True if two documents must not share a key. */
  get enforcesUnique(): boolean {
    return (this.unique || this.prepareUnique) && this.hasKeys && !this.isGeographic;
  }
}

/** Returns the environment of the index's filters, which compare strings by the collation of the index. */
function comparing(spec: RawDocument): Environment {
  const collation = spec.document('collation');
  const comparison = collation && compileCollation(collation);
  return comparison === undefined ? noEnvironment : { ...noEnvironment, comparison };
}

function readSpec(spec: RawDocument): CollationSpec | undefined {
  const collation = spec.document('collation');
  return collation && readCollation(collation);
}

export function indexTableName(number: number): string {
  return `i_${number}`;
}

const special: readonly IndexKind[] = ['text', '2d', '2dsphere', 'hashed'];

export function kindOf(key: RawDocument): IndexKind {
  for (const part of key) {
    if (part.type === bsonTypes.string) {
      const kind = special.find((name) => name === textOf(part));
      if (kind !== undefined) return kind;
    } else if (isWildcard(part.name)) return 'wildcard';
  }
  return 'ordinary';
}

export function isWildcard(name: string): boolean {
  return name === '$**' || name.endsWith('.$**');
}

function partOf(element: Element): IndexPart {
  const { name } = element;
  const wildcard = isWildcard(name);
  return {
    path: pathOf(wildcard ? name.slice(0, Math.max(name.length - 4, 0)) : name),
    direction: isNumber(element) && toNumber(element) < 0 ? -1 : 1,
    hashed: element.type === bsonTypes.string && textOf(element) === 'hashed',
    wildcard,
  };
}

export function documentIn(spec: RawDocument, name: string): RawDocument | undefined {
  const value = spec.get(name);
  return value?.type === bsonTypes.object ? documentOf(value) : undefined;
}

/** The keys of a document in an index. */
export interface DocumentKeys {
  /** The keys, without duplicates. */
  readonly keys: readonly Uint8Array[];
  /** The positions of arrays in the document; absent if it contains none. */
  readonly multikey?: MultikeyPaths;
  /** The paths of these arrays, for a wildcard index. */
  readonly arrayPaths?: ArrayPaths;
  /** The types of the values; absent if the index already contains values of all these types. */
  readonly types?: ValueTypes;
}
