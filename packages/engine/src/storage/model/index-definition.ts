import { bsonTypes } from '../../bson/bson-types.ts';
import { compileCollation, foldingBy, readCollation } from '../../bson/collation/index.ts';
import type { Direction } from '../../bson/keys.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { type Element, isNumber, textOf, type Value } from '../../bson/value.ts';
import { type Environment, noEnvironment } from '../../language/environment.ts';
import { compileFilter, type Filter } from '../../language/filter/index.ts';
import { type Path, pathOf } from '../../language/paths.ts';
import { decodePaths, type MultikeyPaths } from './multikey.ts';
import type { ValueTypes } from './value-types.ts';

/** What an index holds of its first or special part. */
export type IndexKind = 'ordinary' | 'hashed' | 'wildcard' | 'text' | '2d' | '2dsphere';

export interface IndexPart {
  readonly path: Path;
  readonly direction: Direction;
  /** In this part stands a hash of the value. */
  readonly hashed: boolean;
  /** The part stands for all fields below its path. */
  readonly wildcard: boolean;
}

/** A row of the catalog of indexes. */
export interface IndexRow {
  readonly number: number;
  /** As `listIndexes` shows it. */
  readonly spec: RawDocument;
  readonly multikey: string;
  /** Absent: not known. */
  readonly types?: ValueTypes | undefined;
}

/** An index as its specification describes it. */
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
  /** New documents must be unique although old ones need not be. */
  readonly prepareUnique: boolean;
  readonly partial: Filter | undefined;
  readonly expireAfterSeconds: number | undefined;
  readonly collated: boolean;
  /** Makes values that are equal under the collation the same. */
  readonly fold: ((value: Value) => Value) | undefined;
  /** It is there no more; a scan that meets this ends. */
  dropped = false;
  /** How often it was read. */
  uses = 0;
  /** Where documents have arrays; grows with the documents. */
  multikey: MultikeyPaths;
  /** Which types values have had; grows with the documents. Only of those without arrays, and of ordinary indexes. */
  types: ValueTypes | undefined;

  constructor({ number, spec, multikey, types }: IndexRow) {
    this.number = number;
    this.spec = spec;
    this.name = spec.string('name') ?? '';
    this.key = spec.document('key') ?? RawDocument.empty;
    this.kind = kindOf(this.key);
    this.parts = [...this.key].map(partOf);
    this.unique = spec.bool('unique') === true;
    this.sparse = spec.bool('sparse') === true;
    this.hidden = spec.bool('hidden') === true;
    this.prepareUnique = spec.bool('prepareUnique') === true;
    const partial = spec.document('partialFilterExpression');
    this.partial = partial && compileFilter(partial, comparing(spec));
    const seconds = spec.get('expireAfterSeconds');
    this.expireAfterSeconds = seconds && isNumber(seconds) ? toNumber(seconds) : undefined;
    this.collated = spec.has('collation');
    this.fold = foldOf(spec);
    this.multikey = decodePaths(multikey, this.parts.length);
    this.types = types;
  }

  get table(): string {
    return indexTableName(this.number);
  }

  /** Whether keys are kept; of other kinds only the specification is. */
  get hasKeys(): boolean {
    return this.kind !== 'text';
  }

  /**
   * Whether the keys say where to look for values; those of places only tell who has one, and those of a collation
   * are not in its order.
   */
  get answersQueries(): boolean {
    return this.hasKeys && !this.isGeographic && !this.collated;
  }

  get isGeographic(): boolean {
    return this.kind === '2d' || this.kind === '2dsphere';
  }

  /** Whether two documents must differ in their keys. */
  get enforcesUnique(): boolean {
    return (this.unique || this.prepareUnique) && this.hasKeys && !this.isGeographic;
  }
}

/** Filters of an index compare as its keys do. */
function comparing(spec: RawDocument): Environment {
  const collation = spec.document('collation');
  const comparison = collation && compileCollation(collation);
  return comparison === undefined ? noEnvironment : { ...noEnvironment, comparison };
}

function foldOf(spec: RawDocument): ((value: Value) => Value) | undefined {
  const collation = spec.document('collation');
  const read = collation && readCollation(collation);
  return read && foldingBy(read);
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

/** What one document adds to an index. */
export interface DocumentKeys {
  /** Each once. */
  readonly keys: readonly Uint8Array[];
  /** Where the document has arrays; absent where it has none. */
  readonly multikey?: MultikeyPaths;
  /** Types of values, where they add to those that the index knows. */
  readonly types?: ValueTypes;
}
