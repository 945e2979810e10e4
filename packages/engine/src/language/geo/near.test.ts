import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import type { Document } from 'bson';
import { unwatched } from '../../statement/statement.ts';
import { pathOf } from '../paths.ts';
import { raw } from '../testing/documents.ts';
import { checkGeoKeys } from './keys.ts';
import { EARTH, readNear } from './near.ts';
import { nearestAt } from './nearest.ts';
import { line, point, ten } from './testing.ts';

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
      const found = nearestAt(pathOf('loc'), readNear(raw(spec)), unwatched)(raw({ loc }))?.distance;
      if (expected === undefined) assert.equal(found, undefined);
      else
        assert.ok(Math.abs((found ?? Number.NaN) - expected) <= 1e-9 * Math.max(1, expected), String(found));
    });
  }

  it('of places that are close to each other has all its digits', () => {
    const near = readNear(raw({ $near: { $geometry: point(10.31, 40.07) } }));
    const found = nearestAt(pathOf('loc'), near, unwatched)(raw({ loc: point(10.3101, 40.0701) }));
    assert.equal(found?.distance, 14.017424384921558);
  });
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
