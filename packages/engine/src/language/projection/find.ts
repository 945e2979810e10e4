import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { truthOfNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { boolOf, type Element, int32, isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type Environment, noEnvironment } from '../environment.ts';
import { checkFieldPath, isPositional } from '../field-path.ts';
import { compileEntryTest, topLevelOperatorTable } from '../filter/compile.ts';
import type { Filter } from '../filter/filter.ts';
import { foldingAfter } from '../folding.ts';
import { inheritMetadata } from '../metadata.ts';
import { keepParts } from '../parts.ts';
import { compileAddition } from './add.ts';
import { compileProjection, type Projection } from './index.ts';
import { parseFields } from './parse.ts';
import { firstMatch, positioned, type Reshape, reshape, sliced } from './reshape.ts';
import { parseSlice, type Slice } from './slice.ts';
import { buildTree } from './tree.ts';

/**
 * A `find` projection, split into an ordinary projection and the parts that pipelines do not support:
 * `$slice`, `$elemMatch` and the positional operator.
 */
interface FindParts {
  /** The inclusions, exclusions and computed fields, and an inclusion for each field of `slices` and `matches`. */
  readonly base: Array<readonly [string, Value]>;
  readonly slices: Map<string, Slice>;
  readonly matches: Map<string, (entry: Value) => boolean>;
  positional?: string;
}

/** A compiled `find` projection, which supports `$slice`, `$elemMatch` and the positional `a.$`. */
export interface FindProjection {
  /** True if `apply` needs the filter, because the projection refers to the array entry that matched. */
  readonly positional: boolean;
  /** Projects a document. `filter` is the filter that matched the document. */
  apply(doc: RawDocument, filter?: Filter): RawDocument;
}

export function compileFindProjection(
  spec: RawDocument,
  environment: Environment = noEnvironment,
): FindProjection {
  const parts: FindParts = { base: [], slices: new Map(), matches: new Map() };
  for (const element of spec) {
    environment.statement.check();
    keepParts('a projection');
    takePart(parts, element, environment);
  }
  const base = foldingAfter(environment.folding, () => baseOf(parts, environment));
  const { positional } = parts;
  const after = (doc: RawDocument, filter: Filter | undefined, found: RawDocument): RawDocument => {
    let result = found;
    for (const [path, test] of parts.matches) result = reshape(result, path.split('.'), firstMatch(test));
    if (parts.matches.size > 0 && base?.kind === 'inclusion') result = withLast(result, parts.matches);
    if (positional !== undefined) {
      const at: Reshape = positioned(filter?.position(doc));
      result = reshape(result, positional.split('.'), at);
    }
    for (const [path, slice] of parts.slices) result = reshape(result, path.split('.'), sliced(slice));
    return result;
  };
  return {
    positional: positional !== undefined,
    apply: (doc, filter) => after(doc, filter, base === undefined ? doc : base.apply(doc)),
  };
}

/** The value in `base` of a field with `$slice`. */
const slicedField = int32(1);
/** The value in `base` of a field with `$elemMatch`. */
const matchedField = int32(1);

function takePart(parts: FindParts, element: Element, environment: Environment): void {
  const { name } = element;
  const operator = element.type === bsonTypes.object ? documentOf(element).first() : undefined;
  const slice = operator?.name === '$slice' ? parseSlice(operator) : undefined;
  if (operator?.name === '$slice' && name.endsWith('.$')) {
    throw new ServerError(31271, 'positional projection cannot be used with an expression or sub object');
  }
  // A field that is named `$` alone is not a positional operator.
  if (name.includes('.') && isPositional(name) && isIncluded(element)) takePositional(parts, name);
  else if (operator?.name === '$elemMatch') takeElemMatch(parts, element, operator, environment);
  else if (slice !== undefined) {
    checkFieldPath(name);
    // After a positional operator on the same path, the server parses `$slice` as the expression operator.
    if (parts.positional === name) {
      throw new ServerError(
        28667,
        'Expression $slice takes at least 2 arguments, and at most 3, but 1 were passed in.',
      );
    }
    parts.slices.set(name, slice);
    parts.base.push([name, slicedField]);
  } else parts.base.push([name, element]);
}

function isIncluded(value: Value): boolean {
  if (isNumber(value)) return truthOfNumber(value);
  return value.type === bsonTypes.bool ? boolOf(value) : false;
}

function takePositional(parts: FindParts, name: string): void {
  if (!name.endsWith('.$') || isPositional(name.slice(0, -2))) {
    throw new ServerError(
      31394,
      "As of 4.4, it's illegal to specify positional operator in the middle of a path.",
    );
  }
  if (parts.positional !== undefined) {
    throw new ServerError(31276, 'Cannot specify more than one positional projection per query.');
  }
  if (parts.matches.size > 0) throw bothKinds(31256);
  const path = name.slice(0, -2);
  checkFieldPath(path);
  parts.positional = path;
  parts.base.push([path, int32(1)]);
}

function bothKinds(code: number): ServerError {
  return new ServerError(code, 'Cannot specify positional operator and $elemMatch.');
}

function takeElemMatch(
  parts: FindParts,
  element: Element,
  operator: Element,
  environment: Environment,
): void {
  const { name } = element;
  if (operator.type !== bsonTypes.object) {
    throw new ServerError(31274, 'elemMatch: Invalid argument, object required');
  }
  checkFieldPath(name);
  if (name.includes('.')) throw new ServerError(31275, 'Cannot use $elemMatch projection on a nested field');
  if (documentOf(element).after(operator) !== undefined) {
    throw new ServerError(16410, "FieldPath field names may not start with '$'.");
  }
  if (parts.positional !== undefined) throw bothKinds(31255);
  for (const inner of documentOf(operator)) {
    const allowed = topLevelOperatorTable.get(inner.name)?.inProjection;
    if (allowed === 'refused') {
      throw new ServerError('QueryFeatureNotAllowed', `${inner.name} is not allowed in this context`);
    }
    if (allowed === 'onlyAtTop') {
      throw new ServerError('BadValue', `${inner.name} can only be applied to the top-level document`);
    }
  }
  parts.matches.set(name, compileEntryTest(operator, environment));
  parts.base.push([name, matchedField]);
}

/** Returns the document with the fields in `names` moved to its end, in the order of `names`. */
function withLast(doc: RawDocument, names: ReadonlyMap<string, unknown>): RawDocument {
  const moved = writeDocument((writer) => {
    for (const element of doc) if (!names.has(element.name)) writer.element(element);
    for (const name of names.keys()) {
      const value = doc.get(name);
      if (value !== undefined) writer.field(name, value);
    }
  });
  inheritMetadata(doc, moved);
  return moved;
}

function isMeta(value: Value): boolean {
  return value.type === bsonTypes.object && documentOf(value).first()?.name === '$meta';
}

/** Adds metadata to a projected document. A projection that contains only metadata keeps all fields. */
function besides(
  rest: Projection | undefined,
  metas: ReadonlyArray<readonly [string, Value]>,
  environment: Environment,
): Projection {
  const spec = writeDocument((writer) => {
    for (const [name, value] of metas) writer.field(name, value);
  });
  const add = compileAddition(spec, environment);
  return {
    kind: 'exclusion',
    apply(doc) {
      const left = rest === undefined ? doc : rest.apply(doc);
      inheritMetadata(doc, left);
      return add(left);
    },
  };
}

/**
 * Compiles the ordinary projection. If only `$slice` occurs, all other fields are kept. If other fields are included,
 * sliced fields are included too. A field with `$elemMatch` is included unless other fields are excluded.
 */
function baseOf({ base, slices }: FindParts, environment: Environment): Projection | undefined {
  const specOf = (fields: ReadonlyArray<readonly [string, Value]>) =>
    writeDocument((writer) => {
      for (const [name, value] of fields) writer.field(name, value);
    });
  const written = (fields: ReadonlyArray<readonly [string, Value]>) =>
    compileProjection(specOf(fields), environment);
  // An excluding projection keeps sliced and matched fields.
  const excludes = (fields: typeof base) =>
    fields.length > 0 && slices.size > 0 && written(fields).kind === 'exclusion';
  const metas = base.filter(([, value]) => isMeta(value));
  const shown = base.filter(([, value]) => !isMeta(value));
  const plain = shown.filter(([, value]) => value !== slicedField && value !== matchedField);
  const excludesOthers = plain.some(([name]) => name !== '_id') && written(plain).kind === 'exclusion';
  const fields = excludesOthers ? shown.filter(([, value]) => value !== matchedField) : shown;
  const others = fields.filter(([, value]) => value !== slicedField);
  const kept = others.length === 0 || excludes(others) ? others : fields;
  // The paths that are not kept must not equal or contain other paths either.
  if (kept.length < shown.length) {
    buildTree(parseFields(specOf(shown), '', environment), environment.statement);
  }
  if (metas.length > 0) {
    const rest = kept.length === 0 ? undefined : written(kept);
    return rest?.kind === 'inclusion' ? written([...kept, ...metas]) : besides(rest, metas, environment);
  }
  return kept.length === 0 ? undefined : written(kept);
}
