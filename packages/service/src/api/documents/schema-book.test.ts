import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Type from 'typebox';
import { readOnly, ruled } from '../fields.ts';
import { SchemaBook } from './schema-book.ts';

const Anchor = Type.Object({ weight: Type.Number() });
const book = () => new SchemaBook([{ name: 'Anchor', schema: Anchor, since: '2025-03-12' }]);

describe('schema book', () => {
  it('references a named schema even if it is optional or read-only', () => {
    const boat = Type.Object({ bow: Anchor, stern: Type.Optional(Anchor), spare: readOnly(Anchor) });
    const used = book();
    assert.deepEqual(used.write(boat, 'reply'), {
      type: 'object',
      additionalProperties: false,
      required: ['bow'],
      properties: {
        bow: { $ref: '#/components/schemas/Anchor' },
        spare: { $ref: '#/components/schemas/Anchor', readOnly: true },
        stern: { $ref: '#/components/schemas/Anchor' },
      },
    });
    assert.deepEqual(Object.keys(used.components), ['Anchor']);
  });

  it('contains only referenced schemas', () => {
    assert.deepEqual(book().components, {});
  });

  it('has separate request schemas if there are read-only or write-only fields', () => {
    const Boat = Type.Object({ id: Type.String({ readOnly: true }), key: Type.String({ writeOnly: true }) });
    const used = new SchemaBook([{ name: 'Boat', schema: Boat, since: '' }]);
    assert.deepEqual(used.write(Boat, 'reply'), { $ref: '#/components/schemas/Boat' });
    assert.deepEqual(used.write(Boat, 'request'), { $ref: '#/components/schemas/BoatRequest' });
    const { Boat: reply, BoatRequest: request } = used.components as Record<string, Record<string, object>>;
    assert.deepEqual([Object.keys(reply?.properties ?? {}), reply?.required], [['id'], ['id']]);
    assert.deepEqual([Object.keys(request?.properties ?? {}), request?.required], [['id', 'key'], ['key']]);
  });

  it('allows null in requests for optional fields only', () => {
    const Boat = Type.Object({
      bow: Type.Optional(Anchor),
      kind: Type.Optional(Type.Union([Type.Literal('sail'), Type.Literal('steam')])),
      name: Type.String(),
      sizes: Type.Optional(Type.Record(Type.String(), Type.Integer())),
    });
    const { properties } = book().write(Boat, 'request') as { properties: Record<string, object> };
    assert.deepEqual(properties, {
      bow: { anyOf: [{ $ref: '#/components/schemas/Anchor' }, { type: 'null' }] },
      kind: { anyOf: [{ type: 'string', enum: ['sail', 'steam'] }, { type: 'null' }] },
      name: { type: 'string' },
      sizes: { type: ['object', 'null'], additionalProperties: { type: ['integer', 'null'] } },
    });
    assert.deepEqual(
      (book().write(Boat, 'reply') as { properties: Record<string, object> }).properties.kind,
      {
        type: 'string',
        enum: ['sail', 'steam'],
      },
    );
  });

  it('shows constraints that rules check', () => {
    const name = ruled(Type.String({ description: 'Hers.' }), { minLength: 1, maxLength: 64 });
    const expected = { type: 'string', description: 'Hers.', minLength: 1, maxLength: 64 };
    assert.deepEqual(book().write(name, 'request'), expected);
  });

  it('rejects two schemas with the same name', () => {
    const used = book();
    used.define('Boat', { type: 'object' });
    used.define('Boat', { type: 'object' });
    assert.throws(
      () => used.define('Boat', { type: 'string' }),
      /Two schemas of a document have the name Boat/,
    );
  });

  it('distinguishes schemas with the same name by version', () => {
    const Older = Type.Object({ weight: Type.String() });
    const used = new SchemaBook([
      { name: 'Anchor', schema: Anchor, since: '2025-03-12' },
      { name: 'Anchor', schema: Older, since: '2023-01-01' },
    ]);
    assert.deepEqual(used.write(Anchor, 'reply'), { $ref: '#/components/schemas/Anchor' });
    assert.deepEqual(used.write(Older, 'reply'), { $ref: '#/components/schemas/Anchor_2023-01-01' });
  });

  it('keeps both names of identical schemas', () => {
    const Buoy = Type.Object({ weight: Type.Number() });
    const used = new SchemaBook([
      { name: 'Anchor', schema: Anchor, since: '' },
      { name: 'Buoy', schema: Buoy, since: '' },
    ]);
    assert.deepEqual(used.write(Buoy, 'reply'), { $ref: '#/components/schemas/Buoy' });
    assert.deepEqual(used.write(Anchor, 'reply'), { $ref: '#/components/schemas/Anchor' });
  });

  it('closes objects, and intersections as a whole', () => {
    const both = Type.Intersect([
      Anchor,
      Type.Union([Type.Object({ a: Type.Null() }), Type.Object({ b: Type.Null() })]),
    ]);
    const written = JSON.stringify(book().write(both, 'reply'));
    assert.match(written, /^\{"unevaluatedProperties":false/);
    assert.doesNotMatch(written, /additionalProperties|\$ref/);
  });

  it('keeps records and explicitly open objects open', () => {
    assert.deepEqual(book().write(Type.Record(Type.String(), Type.Null()), 'reply'), {
      type: 'object',
      additionalProperties: { type: 'null' },
    });
    const free = Type.Object({}, { additionalProperties: true });
    assert.deepEqual(book().write(free, 'reply'), {
      type: 'object',
      properties: {},
      additionalProperties: true,
    });
  });

  it('writes a choice of texts as an enum, and drops private keywords', () => {
    const choice = Type.Union([Type.Literal('a'), Type.Literal('b')], { secretNote: 1, 'x-note': 2 });
    assert.deepEqual(book().write(choice, 'reply'), { type: 'string', enum: ['a', 'b'], 'x-note': 2 });
  });

  it('has no format constraints for masked secrets', () => {
    const key = Type.String({ minLength: 32, pattern: '^[0-9a-f]+$', 'x-mask': 'secret' });
    assert.deepEqual(book().write(key, 'reply'), { type: 'string', 'x-mask': 'secret' });
    assert.equal((book().write(key, 'request') as { minLength?: number }).minLength, 32);
  });

  it('rejects recursive schemas, which it cannot represent', () => {
    const loop = Type.Cyclic({ Node: Type.Object({ next: Type.Optional(Type.Ref('Node')) }) }, 'Node');
    assert.throws(() => book().write(loop, 'reply'), /cannot contain the schema keyword \$/);
  });
});
