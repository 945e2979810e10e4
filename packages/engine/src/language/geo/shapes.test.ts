import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import type { Document } from 'bson';
import { compileFilter } from '../filter/index.ts';
import { raw } from '../testing/documents.ts';
import { holed, line, point, polygon, square, strict, ten } from './testing.ts';

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
    [{ $center: [[5, 52], 0.0001] }, [5, 52.0001], true],
    [{ $center: [[5, 52], 0.0001] }, [4.9999, 52], true],
    [{ $center: [[5, 52], 0.0001] }, [5.0001, 52.0001], false],
    [{ $centerSphere: [[0, 0], 0.1] }, [5, 0], true],
    [{ $centerSphere: [[0, 0], 0.1] }, [6, 0], false],
    [{ $centerSphere: [[0, 0], 0.1] }, line([0, 0], [5, 0]), true],
    [{ $centerSphere: [[0, 0], 0.1] }, line([0, 0], [7, 0]), false],
    [{ $centerSphere: [[0, 0], 0.5] }, ten, true],
    [{ $geometry: ten }, point(5, 5), true],
    [{ $geometry: ten }, point(0, 5), true],
    [{ $geometry: ten }, point(0, 0), true],
    [{ $geometry: holed }, point(4, 5), true],
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
