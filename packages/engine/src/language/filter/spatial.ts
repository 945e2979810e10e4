import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { isNear, readNear } from '../geo/near.ts';
import { nearestAt, requireIndex } from '../geo/nearest.ts';
import { compileGeometryTest } from '../geo/query.ts';
import { storedGeometry } from '../geo/stored.ts';
import { addMetadata, metadataOf } from '../metadata.ts';
import type { Path, Test } from '../paths.ts';
import type { Condition } from './filter.ts';
import { type FilterContext, leaf, type OperatorTable } from './operator.ts';

/** Geographic operators. Each must be the only operator at its path, except for the distances next to `$near`. */
export const spatialOperators: OperatorTable = {
  $geoWithin: (operand, path, context, spec) => shaped('$geoWithin', operand, path, spec, context),
  $within: (operand, path, context, spec) => shaped('$geoWithin', operand, path, spec, context),
  $geoIntersects: (operand, path, context, spec) => shaped('$geoIntersects', operand, path, spec, context),
  $near: near,
  $nearSphere: near,
  $geoNear: near,
  $minDistance: readAllowedWithNear,
  $maxDistance: readAllowedWithNear,
  $uniqueDocs: readAllowedWithNear,
};

const allowedWithNear: ReadonlySet<string> = new Set(['$minDistance', '$maxDistance', '$uniqueDocs']);

function shaped(
  operator: '$geoWithin' | '$geoIntersects',
  operand: Value,
  path: Path,
  spec: RawDocument,
  { environment }: FilterContext,
): Condition {
  const extra = [...spec][1];
  if (extra !== undefined) throw new ServerError('BadValue', `can't parse extra field: ${extra.name}`);
  const holds = compileGeometryTest(operator, operand, environment.statement);
  const test: Test = (value) => {
    const geometry = value && storedGeometry(value, environment.statement);
    return geometry !== undefined && holds(geometry);
  };
  return leaf(operator, path, test, { environment });
}

function near(_: Value, path: Path, { environment }: FilterContext, spec: RawDocument): Condition {
  if (environment.withoutNear) throw nearNotAllowed();
  const first = spec.first();
  if (first === undefined || !isNear(first.name)) {
    throw new ServerError('BadValue', `near must be first in: ${path.text}`);
  }
  const wanted = readNear(spec);
  const find = nearestAt(path, wanted, environment.statement);
  const indexes = environment.specialIndexes?.();
  return {
    operator: '$near',
    near: {
      // The filter has usually stored the distance as metadata while matching.
      distance: (doc) => metadataOf(doc)?.geoNearDistance ?? find(doc)?.distance,
      checkIndex: () => indexes && requireIndex(indexes, path.text, wanted),
    },
    matches: (doc) => {
      const found = find(doc);
      if (found === undefined) return false;
      addMetadata(doc, { geoNearDistance: found.distance, geoNearPoint: found.location.detached() });
      return true;
    },
  };
}

export function nearNotAllowed(): ServerError {
  return new ServerError(
    5626500,
    '$geoNear, $near, and $nearSphere are not allowed in this context, as these operators require sorting ' +
      'geospatial data. If you do not need sort, consider using $geoWithin instead.',
  );
}

/** Accepts `$minDistance` and `$maxDistance` only next to `$near`, which parses them. */
function readAllowedWithNear(_: Value, __: Path, ___: FilterContext, spec: RawDocument): Condition {
  const first = spec.first();
  if (first === undefined || !isNear(first.name)) {
    const name = [...spec].find((element) => allowedWithNear.has(element.name))?.name ?? '';
    throw new ServerError('BadValue', `unknown operator: ${name}`);
  }
  return { operator: '$and', children: [], matches: () => true };
}
