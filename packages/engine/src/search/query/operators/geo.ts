import { box } from '../../../language/geo/flat.ts';
import { EARTH } from '../../../language/geo/near.ts';
import {
  cap,
  type GeometryTest,
  intersecting,
  regionOf,
  withinFlat,
  withinRegions,
} from '../../../language/geo/region.ts';
import type { StoredGeometry } from '../../../language/geo/stored.ts';
import { vectorAt } from '../../../language/geo/vector.ts';
import type { Statement } from '../../../statement/statement.ts';
import { keys } from '../../mapping/field.ts';
import { searchError } from '../errors.ts';
import { flatOf, geometryOf, pointOf, storedIn } from '../geo.ts';
import type { Operator, OperatorTable } from '../operator.ts';
import { plainPaths } from '../paths.ts';
import type { Searching } from '../searching.ts';
import type { Spec } from '../spec.ts';
import { marking } from './values.ts';

export const geoOperators: OperatorTable = {
  geoWithin(spec, { search }) {
    const paths = plainPaths(spec);
    const shapes = ['box', 'circle', 'geometry'].filter((name) => spec.value(name) !== undefined);
    const [shape] = shapes;
    if (shape === undefined || shapes.length > 1) {
      throw searchError(`"${spec.at}" must have exactly one of [box, circle, geometry]`);
    }
    const test = (within[shape] as Within)(spec, search.statement);
    spec.finish();
    checkIndexed(paths, 'geoWithin', false, search);
    return passing(paths, test, costOf(spec), search);
  },
  geoShape(spec, { search }) {
    const paths = plainPaths(spec);
    spec.required('relation');
    const relation = spec.oneOf('relation', ['contains', 'disjoint', 'intersects', 'within']) ?? 'intersects';
    const given = spec.requiredDocument('geometry');
    const { shapes } = geometryOf(given.doc, given.at, search.statement);
    spec.finish();
    if (relation === 'within' && shapes.polygons.length === 0) {
      throw searchError(`"${spec.at}" with relation "within" must have a polygon`);
    }
    checkIndexed(paths, 'geoShape', true, search);
    return passing(paths, relations[relation]({ shapes }, search.statement), costOf(spec), search);
  },
};

type Within = (spec: Spec, statement: Statement) => GeometryTest;

const within: Readonly<Record<string, Within>> = {
  box(spec) {
    const corners = spec.requiredDocument('box');
    const point = (name: string) => pointOf(corners.requiredDocument(name).doc, corners.name(name));
    const [low, high] = [point('bottomLeft'), point('topRight')];
    corners.finish();
    return withinFlat(box(flatOf(low), flatOf(high)));
  },
  circle(spec, statement) {
    const circle = spec.requiredDocument('circle');
    const center = pointOf(circle.requiredDocument('center').doc, circle.name('center'));
    const radius = circle.requiredNumber('radius', { min: 0 });
    circle.finish();
    return withinRegions([cap(vectorAt(center.longitude, center.latitude), radius / EARTH, statement)]);
  },
  geometry(spec, statement) {
    const given = spec.requiredDocument('geometry');
    const { shapes } = geometryOf(given.doc, given.at, statement);
    if (shapes.polygons.length === 0) throw searchError(`"${given.at}" must be a polygon or several`);
    return withinRegions(shapes.polygons.map(regionOf));
  },
};

type Relation = (query: Required<Pick<StoredGeometry, 'shapes'>>, statement: Statement) => GeometryTest;

const relations: Readonly<Record<'contains' | 'disjoint' | 'intersects' | 'within', Relation>> = {
  contains: (query) => (geometry) =>
    geometry.shapes !== undefined && withinRegions(geometry.shapes.polygons.map(regionOf))(query),
  disjoint: ({ shapes }, statement) => {
    const meets = intersecting(shapes, statement);
    return (geometry) => !meets(geometry);
  },
  intersects: ({ shapes }, statement) => intersecting(shapes, statement),
  within: ({ shapes }) => withinRegions(shapes.polygons.map(regionOf)),
};

function checkIndexed(paths: readonly string[], name: string, shapes: boolean, search: Searching): void {
  if (search.plan === undefined) return;
  for (const path of paths) {
    const mapping = search.mapping(path, 'geo');
    if (mapping === undefined) throw searchError(`"${name}" requires path "${path}" to be indexed as geo`);
    if (shapes && mapping.indexShapes !== true) {
      throw searchError(`"${name}" requires path "${path}" to be indexed as geo with "indexShapes"`);
    }
  }
}

/**
 * Returns the number of steps for testing one stored geometry. This is one step for each byte of the searched geometry,
 * in which a vertex has about forty bytes.
 */
function costOf({ doc }: Spec): number {
  return doc.toBytes().length;
}

/**
 * Matches documents with a geometry that passes a test. `cost` is the number of steps that testing one geometry takes.
 */
function passing(paths: readonly string[], test: GeometryTest, cost: number, search: Searching): Operator {
  return marking((segment, hits) => {
    for (const path of paths) {
      const kept = segment.spans(keys.geo(path));
      kept?.spans.forEach((span, at) => {
        search.spend(cost);
        const geometry = storedIn(span, search.statement);
        if (geometry !== undefined && test(geometry)) hits.set(kept.docs[at] as number, 1);
      });
    }
  });
}
