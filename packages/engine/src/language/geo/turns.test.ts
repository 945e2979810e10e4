import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RawDocument } from '../../bson/raw.ts';
import { pollsOf } from '../../bson/testing-turns.ts';
import { unwatched } from '../../statement/statement.ts';
import { checkGeoKeys } from './keys.ts';
import { Ring } from './sphere-polygon.ts';

const CORNERS = 2_000;
const corners = Array.from({ length: CORNERS }, (_, i) => (i / CORNERS) * 2 * Math.PI);
const spec = RawDocument.from({ key: { g: '2dsphere' } });

describe('an index over long geometries yields', () => {
  it('at each corner of a ring, for each pass of the library over the corners', () => {
    const line = corners.map((angle) => {
      const [x, y] = [0.1 * Math.cos(angle), 0.1 * Math.sin(angle)];
      return { x, y, z: Math.sqrt(1 - x * x - y * y) };
    });
    const polls = pollsOf(() => new Ring(line, false, unwatched));
    // The bounds take one pass and the angles at least one, with four steps per corner.
    assert.ok(polls >= (CORNERS * 2 * 4) / 512, `${polls}`);
  });

  it('while it looks for corners that occur twice', () => {
    const ring = [...corners, 0].map((angle) => [10 * Math.cos(angle), 10 * Math.sin(angle)]);
    const open = { g: { type: 'Polygon', coordinates: [ring.slice(0, -1)] } };
    const twice = { g: { type: 'Polygon', coordinates: [[...ring.slice(0, -1), ring[1], ring[0]]] } };
    const polls = [open, twice].map((doc) =>
      pollsOf(() => assert.throws(() => checkGeoKeys(spec, RawDocument.from(doc)), /Loop is not/)),
    );
    const [early = 0, late = 0] = polls;
    assert.ok(late - early >= (CORNERS * 16) / 512, `${early} and ${late}`);
  });

  it('and an error about many points describes only the first of them', () => {
    const points = (count: number) =>
      Array.from({ length: count }, () => ({ type: 'Point', coordinates: [0, 0] }));
    const polls = [1_000, 20_000].map((count) => {
      const doc = RawDocument.from({ g: points(count) });
      return pollsOf(() => assert.throws(() => checkGeoKeys(spec, doc), { code: 16755 }));
    });
    const [few = 0, many = 0] = polls;
    assert.ok(many <= few + 2, `${few} and ${many}`);
  });
});
