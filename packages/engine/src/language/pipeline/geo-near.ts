import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { double, type Element, isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import { isTrue } from '../expression/boolean.ts';
import { compileExpression } from '../expression/compile.ts';
import { checkFieldPath } from '../field-path.ts';
import type { Filter } from '../filter/filter.ts';
import { kindAt, type Near, readQueryPoint } from '../geo/near.ts';
import { type FindNearest, isHidden, type NearestGeometry, nearestAt, requireIndex } from '../geo/nearest.ts';
import { isComposite, onSphere } from '../geo/point.ts';
import { addMetadata, metadataOf } from '../metadata.ts';
import { pathOf } from '../paths.ts';
import { withField } from './document-fields.ts';
import { compileMatch, usesText } from './match.ts';
import { nearMetadata } from './metadata.ts';
import type { StagePosition } from './position.ts';
import type { Stage, StageContext, StageTable } from './stage.ts';
import { optionsOf, readsInput } from './stage-access.ts';
import { atTheSource, chooses } from './stage-facts.ts';

export const geoNearStages: StageTable = {
  $geoNear: {
    compile: compileGeoNear,
    source: 'collection',
    position: firstOfAll,
    within: atTheSource,
    metadata: { provides: (_stage, first) => (first ? [...nearMetadata] : []), carries: true },
    fusion: { ...chooses, leavesAsTheyAre, ranks: 'first', ties: () => sameDistance },
    access: readsInput,
    readConcern: 'any',
    shapesPlan: false,
    stableApi: true,
  },
};

/**
 * Throws unless the stage is the first. Empty `$match` stages before it do not count, because the server removes them.
 */
function firstOfAll(_name: string, { before }: StagePosition): void {
  if (before.every(matchesEverything)) return;
  throw new ServerError(40603, '$geoNear was not the first stage in the pipeline after optimization.');
}

function matchesEverything(stage: Element): boolean {
  return stage.name === '$match' && stage.type === bsonTypes.object && documentOf(stage).isEmpty;
}

function leavesAsTheyAre(stage: Element): boolean {
  const options = optionsOf(stage);
  return !options.has('distanceField') && !options.has('includeLocs');
}

function sameDistance(a: RawDocument, b: RawDocument): boolean {
  return metadataOf(a)?.geoNearDistance === metadataOf(b)?.geoNearDistance;
}

/**
 * Maximum number of parts of `key`. Coordinates are nested below this path, so the limit is less than the maximum
 * nesting depth.
 */
const MAX_KEY_DEPTH = 180;
/** Maximum number of parts of an output field, limited by the nesting depth of documents. */
const MAX_PATH_DEPTH = 200;

interface GeoNear {
  /** The point and the distances; undefined while variables of a nested pipeline have no values. */
  readonly near: Near | undefined;
  readonly key: string | undefined;
  readonly multiplier: number;
  readonly distanceField: readonly string[] | undefined;
  readonly includeLocs: readonly string[] | undefined;
  readonly query: Filter | undefined;
}

/** Sorts documents by distance from a point and adds their distances. */
function compileGeoNear(spec: Value, { environment }: StageContext): Stage {
  const wanted = parse(spec, environment);
  const { near } = wanted;
  const indexes = environment.specialIndexes?.();
  const path = indexes === undefined ? wanted.key : pathOfIndex(wanted, indexes);
  if (indexes !== undefined && path !== undefined && near !== undefined) requireIndex(indexes, path, near);
  return function* (docs) {
    if (indexes === undefined || path === undefined) {
      throw new ServerError('NamespaceNotFound', '$geoNear requires a collection that exists');
    }
    if (near === undefined) throw notConstant('near', NEAR_NOT_CONSTANT);
    const find = nearestAt(pathOf(path), near, environment.statement);
    for (const { doc, found } of sorted(docs, find, wanted.query)) yield answer(doc, found, wanted);
  };
}

interface Placed {
  readonly doc: RawDocument;
  readonly found: NearestGeometry;
}

function sorted(docs: Iterable<RawDocument>, find: FindNearest, query: Filter | undefined): Placed[] {
  const placed: Placed[] = [];
  for (const given of docs) {
    if (query?.matches(given) === false) continue;
    const doc = given.compact();
    const found = find(doc);
    if (found !== undefined) placed.push({ doc, found });
  }
  return placed.sort((a, b) => a.found.distance - b.found.distance);
}

function answer(doc: RawDocument, { distance, location }: NearestGeometry, wanted: GeoNear): RawDocument {
  const { distanceField, includeLocs, multiplier } = wanted;
  let made = doc;
  if (distanceField !== undefined) made = withField(made, distanceField, double(distance * multiplier));
  if (includeLocs !== undefined) made = withField(made, includeLocs, location);
  addMetadata(made, { geoNearDistance: distance * multiplier, geoNearPoint: location.detached() });
  return made;
}

/** Returns the path in `key`, or the path of the only geographic index. */
function pathOfIndex({ key }: GeoNear, indexes: readonly RawDocument[]): string {
  const pathsOf = (kind: string) =>
    indexes
      .filter((spec) => !isHidden(spec))
      .flatMap((spec) =>
        [...(spec.document('key') ?? [])]
          .map(({ name }) => name)
          .filter((name) => kindAt(spec, name) === kind),
      );
  const flat = pathsOf('2d');
  const sphere = pathsOf('2dsphere');
  if (flat.length + sphere.length === 0) {
    throw new ServerError('IndexNotFound', '$geoNear requires a 2d or 2dsphere index, but none were found');
  }
  if (key !== undefined) return key;
  for (const [kind, paths] of [
    ['2d', flat],
    ['2dsphere', sphere],
  ] as const) {
    if (paths.length > 1) {
      throw new ServerError(
        'IndexNotFound',
        `There is more than one ${kind} index; unsure which to use for $geoNear`,
      );
    }
    if (paths[0] !== undefined) return paths[0];
  }
  throw new Error('one of the kinds has a path');
}

const removed: Readonly<Record<string, number>> = { limit: 50858, num: 50857, start: 50856 };

function parse(spec: Value, environment: Environment): GeoNear {
  if (!isComposite(spec)) {
    throw new ServerError(10065, `invalid parameter: expected an object ($geoNear)`);
  }
  const given = new Map<string, Element>();
  for (const element of documentOf(spec)) given.set(element.name, element);
  if (!given.has('near')) throw new ServerError(5860400, "$geoNear requires a 'near' argument");
  const distanceField = fieldOf(given, 'distanceField', 16606);
  const includeLocs = fieldOf(given, 'includeLocs', 16607);
  for (const name of given.keys()) checkName(name);
  const query = given.get('query');
  return {
    near: waitsForVariables(given, environment) ? undefined : nearOf(given, environment),
    key: keyOf(given.get('key')),
    multiplier: multiplierOf(given.get('distanceMultiplier')),
    distanceField,
    includeLocs,
    query: query && queryOf(query, environment),
  };
}

const known: ReadonlySet<string> = new Set(
  `near distanceField includeLocs maxDistance minDistance distanceMultiplier query spherical key uniqueDocs
  $_requestReshard`.split(/\s+/),
);

function checkName(name: string): void {
  if (Object.hasOwn(removed, name)) {
    throw new ServerError(
      removed[name] as number,
      `$geoNear no longer supports the '${name}' parameter. Use a $limit stage`,
    );
  }
  if (!known.has(name)) throw new ServerError('BadValue', `Unknown argument to $geoNear: ${name}`);
}

function fieldOf(given: ReadonlyMap<string, Element>, name: string, code: number) {
  const value = given.get(name);
  if (value === undefined) return undefined;
  if (value.type !== bsonTypes.string) {
    throw new ServerError(
      code,
      `$geoNear parameter '${name}' must be of type string but found type: ${typeName(value.type)}`,
    );
  }
  checkFieldPath(textOf(value));
  const path = textOf(value).split('.');
  if (path.length >= MAX_PATH_DEPTH) {
    throw new ServerError(
      5984700,
      `$geoNear parameter '${name}' must have fewer than ${MAX_PATH_DEPTH} parts`,
    );
  }
  return path;
}

function queryOf(query: Element, environment: Environment): Filter {
  if (query.type !== bsonTypes.object) {
    throw new ServerError(
      'TypeMismatch',
      `$geoNear parameter 'query' must be an object but found type: ${typeName(query.type)}`,
    );
  }
  if (usesText(documentOf(query))) {
    throw new ServerError('BadValue', 'text and geoNear not allowed in same query');
  }
  return compileMatch(query, environment);
}

const NEAR_NOT_CONSTANT = 5860402;

/**
 * True if the point or a distance depends on variables that have no values yet. A nested pipeline is first compiled
 * without the values that `let` has for a document.
 */
function waitsForVariables(given: ReadonlyMap<string, Element>, environment: Environment): boolean {
  if (![...(environment.constants?.values() ?? [])].includes(undefined)) return false;
  return ['near', 'minDistance', 'maxDistance'].some((name) => {
    const value = given.get(name);
    return value !== undefined && compileExpression(value, environment).constant === undefined;
  });
}

function nearOf(given: ReadonlyMap<string, Element>, environment: Environment): Near {
  const value = constantOf(given.get('near') as Element, environment, NEAR_NOT_CONSTANT);
  if (!isComposite(value)) {
    throw new ServerError(5860401, "$geoNear parameter 'near' must be an object or array");
  }
  const { center, geojson } = readQueryPoint(value);
  const flag = given.get('spherical');
  const spherical = geojson || (flag !== undefined && isTrue(flag));
  if (spherical) onSphere(center);
  return {
    center,
    geojson,
    spherical,
    least: distanceOf(given.get('minDistance'), environment, 7555701, 0),
    most: distanceOf(given.get('maxDistance'), environment, 7555702, Number.POSITIVE_INFINITY),
  };
}

/** Returns the value of an operand, which may be an expression but must be constant. */
function constantOf(value: Element, environment: Environment, code: number): Value {
  const { constant } = compileExpression(value, environment);
  if (constant !== undefined) return constant;
  throw notConstant(value.name, code);
}

function notConstant(name: string, code: number): ServerError {
  return new ServerError(code, `$geoNear requires a constant '${name}' argument`);
}

function distanceOf(
  written: Element | undefined,
  environment: Environment,
  code: number,
  otherwise: number,
): number {
  if (written === undefined) return otherwise;
  const value = constantOf(written, environment, code);
  if (!isNumber(value)) throw wrongNumber(written.name, value);
  const distance = toNumber(value);
  if (distance >= 0) return distance;
  throw new ServerError('BadValue', `'${written.name}' must be a nonnegative number`);
}

function multiplierOf(value: Element | undefined): number {
  if (value === undefined) return 1;
  if (!isNumber(value)) throw wrongNumber('distanceMultiplier', value);
  const multiplier = toNumber(value);
  if (multiplier >= 0) return multiplier;
  throw new ServerError('BadValue', "'distanceMultiplier' must be a nonnegative number");
}

function wrongNumber(name: string, { type }: Value): ServerError {
  return new ServerError(
    'TypeMismatch',
    `$geoNear parameter '${name}' must be a number but found type: ${typeName(type)}`,
  );
}

function keyOf(value: Element | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (value.type !== bsonTypes.string) {
    throw new ServerError(
      'TypeMismatch',
      `$geoNear parameter 'key' must be of type string but found type: ${typeName(value.type)}`,
    );
  }
  const key = textOf(value);
  if (key === '') throw new ServerError('BadValue', "$geoNear parameter 'key' cannot be the empty string");
  checkFieldPath(key);
  if (key.split('.').length > MAX_KEY_DEPTH) {
    throw new ServerError(5729100, `$geoNear parameter 'key' may have at most ${MAX_KEY_DEPTH} parts`);
  }
  return key;
}
