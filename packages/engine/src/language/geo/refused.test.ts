import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import type { Document } from 'bson';
import { noEnvironment } from '../environment.ts';
import { compileFilter } from '../filter/index.ts';
import { raw } from '../testing/documents.ts';
import { line, point, polygon, square, strict, ten } from './testing.ts';

describe('a geometry in a query', () => {
  const refused: Document[] = [
    { $geoWithin: {} },
    { $geoWithin: null },
    { $geoWithin: { $frob: [1, 2] } },
    { $geoWithin: { $geometry: point(0, 0) } },
    { $geoWithin: { $box: [[0, 0]] } },
    {
      $geoWithin: {
        $polygon: [
          [0, 0],
          [1, 1],
        ],
      },
    },
    { $geoWithin: { $center: [[0, 0], -1] } },
    { $geoWithin: { $centerSphere: [[200, 0], 1] } },
    { $geoWithin: { $geometry: ten }, $eq: 1 },
    {
      $geoIntersects: {
        $box: [
          [0, 0],
          [1, 1],
        ],
      },
    },
    { $geoIntersects: { $geometry: { type: 'Point' } } },
    { $geoIntersects: { $geometry: { type: 'Place', coordinates: [0, 0] } } },
    { $geoIntersects: { $geometry: point(0) } },
    { $geoIntersects: { $geometry: point(181, 0) } },
    { $geoIntersects: { $geometry: point(Number.NaN, 0) } },
    { $geoIntersects: { $geometry: line([0, 0]) } },
    { $geoIntersects: { $geometry: polygon(square(0, 0, 1).slice(0, 4)) } },
    {
      $geoIntersects: {
        $geometry: polygon(square(0, 0, 1), [
          [0, 0],
          [0.1, 0.9],
          [1, 1],
          [0.9, 0.1],
          [0, 0],
        ]),
      },
    },
    {
      $geoIntersects: {
        $geometry: polygon([
          [0, 0],
          [2, 2],
          [2, 0],
          [0, 2],
          [0, 0],
        ]),
      },
    },
    { $geoIntersects: { $geometry: polygon(square(0, 0, 1), square(5, 5, 1)) } },
    { $geoIntersects: { $geometry: { ...point(0, 0), crs: strict } } },
    { $geoIntersects: { $geometry: { type: 'GeometryCollection', geometries: [] } } },
    { $near: 5 },
    { $near: { $geometry: ten } },
    { $near: { $geometry: point(0, 0), $maxDistance: -1 } },
    { $eq: 1, $near: [0, 0] },
    { $maxDistance: 1 },
  ];
  for (const filter of refused) {
    it(`is refused: ${inspect(filter, { depth: 8, breakLength: Infinity })}`, () => {
      assert.throws(() => compileFilter(raw({ loc: filter })), { code: 2 });
    });
  }

  it('is clipped in the error message if it is long', () => {
    const ring = Array.from({ length: 50_000 }, (_, i) => [i / 1000, 0]);
    const message = /^Loop is not closed: \[ \[ 0, 0 \], .{900,1000}…$/;
    assert.throws(() => compileFilter(raw({ loc: { $geoIntersects: { $geometry: polygon(ring) } } })), {
      message,
    });
  });

  it('must be alone at the top level for a near query', () => {
    const near = { loc: { $near: [0, 0] } };
    for (const filter of [{ $or: [near, { a: 1 }] }, { $nor: [near] }, { $and: [near, near] }]) {
      assert.throws(() => compileFilter(raw(filter)), { code: 2 });
    }
    assert.throws(() => compileFilter(raw({ loc: { $near: [0, 0], $minDistance: -1 } })), { code: 16894 });
    assert.throws(() => compileFilter(raw({ loc: { $near: [0, 0], $maxDistance: 'far' } })), { code: 16895 });
    assert.throws(() => compileFilter(raw({ loc: { $near: [0, 0], $eq: 1 } })), { code: 34413 });
  });

  it('needs an index of its kind for a near query', () => {
    const indexes = (kind: string) => ({
      ...noEnvironment,
      specialIndexes: () => [raw({ key: { loc: kind } })],
    });
    const planar = raw({ loc: { $near: [0, 0] } });
    const spherical = raw({ loc: { $near: { $geometry: point(0, 0) } } });
    compileFilter(planar, indexes('2d'));
    compileFilter(spherical, indexes('2dsphere'));
    assert.throws(() => compileFilter(planar, indexes('2dsphere')), { code: 291 });
    assert.throws(() => compileFilter(spherical, indexes('2d')), { code: 291 });
    assert.throws(() => compileFilter(raw({ loc: { $near: [200, 0] } }), indexes('2d')), { code: 16433 });
  });
});
