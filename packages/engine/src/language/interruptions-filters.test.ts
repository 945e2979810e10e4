import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Document } from 'bson';
import { RawDocument } from '../bson/raw.ts';
import { WatchedStatement } from '../statement/statement.ts';
import { noEnvironment } from './environment.ts';
import { compileFilter } from './filter/index.ts';
import { compilePipeline } from './pipeline/index.ts';

const stopped = new Error('stopped');
const stop = () => {
  throw stopped;
};
const numbers = Array.from({ length: 1_000 }, (_, i) => i);
const fields = (make: (i: number) => unknown) => Object.fromEntries(numbers.map((i) => [`f${i}`, make(i)]));
const ring = (turn: number) =>
  [...numbers, 0].map((i) => {
    const angle = ((i + turn) / numbers.length) * 2 * Math.PI;
    return [10 * Math.cos(angle), 10 * Math.sin(angle)];
  });
const line = { type: 'LineString', coordinates: numbers.map((i) => [i / 100, i % 2]) };
const polygon = { type: 'Polygon', coordinates: [ring(0)] };
const schema = (a: Document) => ({ $jsonSchema: { properties: { a } } });

describe('a filter is interrupted while it is compared with one document:', () => {
  const cases: Readonly<Record<string, readonly [filter: Document, document: Document]>> = {
    'each entry of an array': [{ a: { $gt: 1e9 } }, { a: numbers }],
    'each entry of $elemMatch': [{ a: { $elemMatch: { $gt: 1e9 } } }, { a: numbers }],
    'each document of an array': [{ 'a.b': 1 }, { a: numbers.map((b) => ({ b: -b })) }],
    'each entry of two equal arrays': [{ a: numbers }, { a: [numbers] }],
    'each field of two equal documents': [{ a: fields((i) => i) }, { a: fields((i) => i) }],
    'each wanted value of $all': [{ a: { $all: numbers } }, { a: numbers }],
    'the fields of properties': [
      { $jsonSchema: { properties: fields(() => ({ minimum: 0 })) } },
      fields((i) => i),
    ],
    'the fields of required': [{ $jsonSchema: { required: Object.keys(fields(() => 1)) } }, fields((i) => i)],
    'the names of dependencies': [{ $jsonSchema: { dependencies: fields(() => ['f0']) } }, fields((i) => i)],
    'the patterns of patternProperties': [
      { $jsonSchema: { patternProperties: { x: {}, y: {} } } },
      fields((i) => i),
    ],
    'the fields of additionalProperties': [
      { $jsonSchema: { patternProperties: { x: {} }, additionalProperties: { minimum: 0 } } },
      fields((i) => i),
    ],
    'the schemas of anyOf': [schema({ anyOf: numbers.map((i) => ({ minimum: i + 1 })) }), { a: 0 }],
    'each entry of items': [schema({ items: { minimum: 0 } }), { a: numbers }],
    'each entry of uniqueItems': [schema({ uniqueItems: true }), { a: numbers }],
    'each entry of minItems': [schema({ minItems: 5 }), { a: numbers }],
    'the corners of a plane polygon': [{ a: { $geoWithin: { $polygon: ring(0) } } }, { a: [20, 0] }],
    'the edges of two lines': [
      { a: { $geoIntersects: { $geometry: line } } },
      { a: { type: 'LineString', coordinates: line.coordinates.map(([x = 0, y = 0]) => [x, y + 5]) } },
    ],
    'the edges of a polygon': [
      { a: { $geoWithin: { $geometry: polygon } } },
      { a: { type: 'LineString', coordinates: numbers.map((i) => [i / 1000, 0]) } },
    ],
    'the corners of a stored polygon': [
      { a: { $geoIntersects: { $geometry: { type: 'Point', coordinates: [0, 0] } } } },
      { a: polygon },
    ],
  };
  for (const [what, [filter, document]] of Object.entries(cases)) {
    it(what, () => {
      const statement = new WatchedStatement();
      const compiled = compileFilter(RawDocument.from(filter), { ...noEnvironment, statement });
      const raw = RawDocument.from(document);
      let looks = 0;
      statement.watch(() => looks++);
      compiled.matches(raw);
      // Each of the thousand parts checks once, and one in sixteen checks reads the clock.
      assert.ok(looks >= numbers.length / 20, `${looks} looks`);
      statement.watch(stop);
      assert.throws(() => compiled.matches(raw), stopped);
    });
  }
});

describe('a filter is interrupted while it is compiled:', () => {
  const filters: Readonly<Record<string, Document>> = {
    $all: { a: { $all: numbers } },
    $in: { a: { $in: numbers } },
    enum: schema({ enum: numbers }),
    'many schemas': { $jsonSchema: { properties: fields(() => ({})) } },
    'a polygon': { a: { $geoWithin: { $geometry: polygon } } },
  };
  for (const [what, filter] of Object.entries(filters)) {
    it(what, () => {
      const statement = new WatchedStatement();
      statement.watch(stop);
      assert.throws(() => compileFilter(RawDocument.from(filter), { ...noEnvironment, statement }), stopped);
    });
  }

  it('$in under a collation, which sorts its values', () => {
    const statement = new WatchedStatement();
    let looks = 0;
    statement.watch(() => looks++);
    const texts = numbers.map((i) => `text ${i}`);
    const compare = (a: { bytes: Uint8Array }, b: { bytes: Uint8Array }) =>
      Buffer.compare(Buffer.from(a.bytes), Buffer.from(b.bytes));
    const comparison = { compare, collate: compare, keyText: String };
    const environment = { ...noEnvironment, statement, comparison } as unknown as typeof noEnvironment;
    compileFilter(RawDocument.from({ a: { $in: texts } }), environment);
    assert.ok(looks > (1.5 * numbers.length) / 16, `${looks} looks`);
  });
});

describe('stages with many outputs', () => {
  it('take a time that grows with their number, not with its square', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `f${i}`);
    const output = Object.fromEntries(many.map((name) => [name, { method: 'locf' }]));
    const documents = [RawDocument.from({ a: 1 }), RawDocument.from({ a: 2 })];
    for (const fill of [
      { sortBy: { a: 1 }, output },
      { sortBy: { a: 1 }, output: { b: { method: 'locf' } }, partitionByFields: many },
    ]) {
      const statement = new WatchedStatement();
      let checks = 0;
      statement.check = () => void checks++;
      const stages = [RawDocument.from({ $fill: fill })];
      const environment = { ...noEnvironment, statement };
      assert.equal([...compilePipeline(stages, { environment }).run(documents)].length, 2);
      assert.ok(checks < 100 * many.length, `${checks} checks`);
    }
  });
});
