import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import type { Document } from 'bson';
import { compileFilter } from '../filter/index.ts';
import { pathOf } from '../paths.ts';
import { raw } from '../testing/documents.ts';
import { checkGeoKeys } from './keys.ts';
import { EARTH, readNear } from './near.ts';
import { nearestAt } from './nearest.ts';

const square = (west: number, south: number, size: number) => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];
const point = (...coordinates: number[]) => ({ type: 'Point', coordinates });
const line = (...coordinates: number[][]) => ({ type: 'LineString', coordinates });
const polygon = (...coordinates: number[][][]) => ({ type: 'Polygon', coordinates });
const ten = polygon(square(0, 0, 10));
const holed = polygon(square(0, 0, 10), square(4, 4, 2));
const strict = {
  type: 'name',
  properties: { name: 'urn:x-mongodb:crs:strictwinding:EPSG:4326' },
};

const matches = (filter: Document, loc: unknown) => compileFilter(raw({ loc: filter })).matches(raw({ loc }));

describe('$geoWithin', () => {
  const cases: Array<[Document, unknown, boolean]> = [
    [
      {
        $box: [
          [0, 0],
          [5, 5],
        ],
      },
      [5, 5],
      true,
    ],
    [
      {
        $box: [
          [5, 5],
          [0, 0],
        ],
      },
      { x: 1, y: 1 },
      true,
    ],
    [
      {
        $box: [
          [0, 0],
          [5, 5],
        ],
      },
      point(2, 2),
      true,
    ],
    [
      {
        $box: [
          [0, 0],
          [5, 5],
        ],
      },
      line([1, 1], [2, 2]),
      false,
    ],
    [
      {
        $box: [
          [0, 0],
          [5, 5],
        ],
      },
      [
        [9, 9],
        [1, 1],
      ],
      true,
    ],
    [
      {
        $box: [
          [0, 0],
          [5, 5],
        ],
      },
      'nowhere',
      false,
    ],
    [{ $center: [[0, 0], 5] }, [3, 4], true],
    [{ $center: [[0, 0], 5] }, [3.1, 4], false],
    [
      {
        $polygon: [
          [0, 0],
          [10, 10],
          [10, 0],
        ],
      },
      [5, 1],
      true,
    ],
    [
      {
        $polygon: [
          [0, 0],
          [10, 10],
          [10, 0],
        ],
      },
      [1, 5],
      false,
    ],
    [
      {
        $polygon: [
          [0, 0],
          [10, 10],
          [10, 0],
        ],
      },
      [10, 10],
      true,
    ],
    [{ $centerSphere: [[0, 0], 0.1] }, [5, 0], true],
    [{ $centerSphere: [[0, 0], 0.1] }, [6, 0], false],
    [{ $centerSphere: [[0, 0], 0.1] }, line([0, 0], [5, 0]), true],
    [{ $centerSphere: [[0, 0], 0.1] }, line([0, 0], [7, 0]), false],
    [{ $centerSphere: [[0, 0], 0.5] }, ten, true],
    [{ $geometry: ten }, point(5, 5), true],
    [{ $geometry: ten }, [11, 5], false],
    [{ $geometry: ten }, [500, 5], false],
    [{ $geometry: holed }, point(5, 5), false],
    [{ $geometry: holed }, point(3, 3), true],
    [{ $geometry: ten }, line([1, 1], [9, 9]), true],
    [{ $geometry: ten }, line([1, 1], [11, 9]), false],
    [{ $geometry: holed }, line([1, 5], [9, 5]), false],
    [{ $geometry: ten }, polygon(square(1, 1, 2)), true],
    [{ $geometry: holed }, polygon(square(3, 3, 4)), false],
    [
      { $geometry: { type: 'MultiPolygon', coordinates: [[square(0, 0, 1)], [square(5, 5, 1)]] } },
      point(5.5, 5.5),
      true,
    ],
    [
      { $geometry: ten },
      {
        type: 'MultiPoint',
        coordinates: [
          [1, 1],
          [2, 2],
        ],
      },
      true,
    ],
    [
      { $geometry: ten },
      {
        type: 'MultiPoint',
        coordinates: [
          [1, 1],
          [20, 2],
        ],
      },
      false,
    ],
    [{ $geometry: { ...polygon(square(0, 0, 10).reverse()), crs: strict } }, point(50, 50), true],
    [{ $geometry: { ...polygon(square(0, 0, 10).reverse()), crs: strict } }, point(5, 5), false],
  ];
  for (const [shape, loc, expected] of cases) {
    it(`${inspect(shape, { depth: 6, breakLength: Infinity })} has ${expected ? '' : 'not '}${JSON.stringify(loc)}`, () => {
      assert.equal(matches({ $geoWithin: shape }, loc), expected);
    });
  }
});

describe('$geoIntersects', () => {
  const cases: Array<[Document, unknown, boolean]> = [
    [ten, point(10, 5), true],
    [ten, point(11, 5), false],
    [ten, line([-5, 5], [15, 5]), true],
    [ten, line([-5, 15], [15, 15]), false],
    [holed, line([4.5, 4.5], [5.5, 5.5]), false],
    [ten, polygon(square(5, 5, 10)), true],
    [ten, polygon(square(20, 20, 5)), false],
    [holed, polygon(square(4.5, 4.5, 1)), false],
    [ten, polygon(square(-5, -5, 30)), true],
    [line([0, 0], [10, 0]), point(5, 0), true],
    [line([0, 0], [10, 0]), line([5, -5], [5, 5]), true],
    [point(1, 2), point(1, 2), true],
    [point(1, 2), [1, 2], true],
    [{ type: 'GeometryCollection', geometries: [point(50, 50), ten] }, point(1, 1), true],
  ];
  for (const [shape, loc, expected] of cases) {
    it(`${JSON.stringify(shape)} ${expected ? 'meets' : 'does not meet'} ${JSON.stringify(loc)}`, () => {
      assert.equal(matches({ $geoIntersects: { $geometry: shape } }, loc), expected);
    });
  }
});

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

  it('near to which documents are looked for stands alone and at the top', () => {
    const near = { loc: { $near: [0, 0] } };
    for (const filter of [{ $or: [near, { a: 1 }] }, { $nor: [near] }, { $and: [near, near] }]) {
      assert.throws(() => compileFilter(raw(filter)), { code: 2 });
    }
    assert.throws(() => compileFilter(raw({ loc: { $near: [0, 0], $minDistance: -1 } })), { code: 16894 });
    assert.throws(() => compileFilter(raw({ loc: { $near: [0, 0], $maxDistance: 'far' } })), { code: 16895 });
    assert.throws(() => compileFilter(raw({ loc: { $near: [0, 0], $eq: 1 } })), { code: 34413 });
  });

  it('near to which documents are looked for needs an index of its kind', () => {
    const indexes = (kind: string) => ({
      constants: new Map(),
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

describe('the distance', () => {
  const degree = (EARTH * Math.PI) / 180;
  const cases: Array<[Document, unknown, number | undefined]> = [
    [{ $near: [0, 0] }, [3, 4], 5],
    [{ $near: [0, 0], $maxDistance: 4 }, [3, 4], undefined],
    [{ $near: [0, 0, 4] }, [3, 4], undefined],
    [
      { $near: [0, 0] },
      [
        [3, 4],
        [1, 0],
      ],
      1,
    ],
    [{ $nearSphere: [0, 0] }, [1, 0], Math.PI / 180],
    [{ $near: { $geometry: point(0, 0) } }, point(1, 0), degree],
    [{ $near: { $geometry: point(0, 0), $minDistance: degree * 2 } }, point(1, 0), undefined],
    [{ $near: { $geometry: point(1, 1) } }, line([0, 0], [2, 0]), degree],
    [{ $near: { $geometry: point(5, 5) } }, ten, 0],
    [{ $near: { $geometry: point(5, 5) } }, 'nowhere', undefined],
    [{ $near: { $geometry: point(0, 0) } }, undefined, undefined],
  ];
  for (const [spec, loc, expected] of cases) {
    it(`of ${JSON.stringify(loc)} by ${inspect(spec, { depth: 5 })} is ${expected}`, () => {
      const found = nearestAt(pathOf('loc'), readNear(raw(spec)))(raw({ loc }))?.distance;
      if (expected === undefined) assert.equal(found, undefined);
      else
        assert.ok(Math.abs((found ?? Number.NaN) - expected) <= 1e-9 * Math.max(1, expected), String(found));
    });
  }
});

describe('an index of places', () => {
  const sphere = { key: { loc: '2dsphere' } };
  const plane = { key: { loc: '2d' }, min: -10, max: 10 };
  const taken: Array<[Document, unknown]> = [
    [sphere, undefined],
    [sphere, null],
    [sphere, []],
    [sphere, [1, 2]],
    [sphere, ten],
    [plane, 'nowhere'],
    [plane, [1, 2]],
    [
      plane,
      [
        [1, 2],
        [3, 4],
      ],
    ],
  ];
  const refused: Array<[Document, unknown, number]> = [
    [sphere, 'nowhere', 16755],
    [sphere, 42, 16755],
    [sphere, point(181, 0), 16755],
    [sphere, [181, 0], 16755],
    [sphere, [point(0, 0), point(1, 1)], 16755],
    [plane, [11, 0], 13027],
    [plane, [1], 13068],
    [plane, ['a'], 13654],
  ];
  for (const [spec, loc] of taken) {
    it(`of ${inspect(spec.key)} takes ${JSON.stringify(loc)}`, () => {
      assert.doesNotThrow(() => checkGeoKeys(raw(spec), raw({ loc })));
    });
  }
  for (const [spec, loc, code] of refused) {
    it(`of ${inspect(spec.key)} refuses ${JSON.stringify(loc)} with ${code}`, () => {
      assert.throws(() => checkGeoKeys(raw(spec), raw({ loc })), { code });
    });
  }
});
