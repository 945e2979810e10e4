import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { entity } from '../entity.ts';
import { DateTime } from '../fields.ts';
import { presenter } from './presenter.ts';

const noLinks = () => [];
const text = (schema: object, value: unknown) => JSON.stringify(presenter(schema)(value, noLinks));

test('sorts keys at every depth, also in maps and free values', () => {
  const Schema = Type.Object({
    zone: Type.Object({ b: Type.Integer(), a: Type.Integer() }),
    _id: Type.String(),
    any: Type.Unknown(),
    Upper: Type.String(),
    list: Type.Array(Type.Object({ y: Type.String(), x: Type.String() })),
    map: Type.Record(Type.String(), Type.Integer()),
  });
  const value = {
    zone: { b: 1, a: 2 },
    _id: 'i',
    any: { d: [{ f: 1, e: 2 }], c: null },
    Upper: 'U',
    list: [{ y: '1', x: '2' }],
    map: { two: 2, one: 1 },
  };
  assert.equal(
    text(Schema, value),
    '{"Upper":"U","_id":"i","any":{"c":null,"d":[{"e":2,"f":1}]},"list":[{"x":"2","y":"1"}],' +
      '"map":{"one":1,"two":2},"zone":{"a":2,"b":1}}',
  );
});

test('a verbatim value keeps the order of its fields', () => {
  const Schema = Type.Object({
    reply: Type.Record(Type.String(), Type.Unknown(), { 'x-verbatim': true }),
    count: Type.Integer(),
  });
  const reply = { ok: 1, links: 2, cursor: [{ tons: 1, name: null }] };
  assert.equal(text(Schema, { reply, count: 1 }), `{"count":1,"reply":${JSON.stringify(reply)}}`);
});

test('a field without a value has its default or is omitted, unless its schema allows null', () => {
  const Schema = Type.Object({
    absent: Type.Optional(Type.String()),
    count: Type.Optional(Type.Integer({ default: 0 })),
    nothing: Type.Union([Type.String(), Type.Null()]),
    tags: Type.Optional(Type.Array(Type.String(), { default: [] })),
  });
  assert.equal(text(Schema, { absent: null, nothing: null }), '{"count":0,"nothing":null,"tags":[]}');
  assert.equal(text(Schema, { nothing: 'x', tags: undefined }), '{"count":0,"nothing":"x","tags":[]}');
});

test('unknown and write-only fields are never sent', () => {
  const Schema = Type.Object({
    name: Type.String(),
    password: Type.Optional(Type.String({ writeOnly: true })),
    inner: Type.Object({ a: Type.String() }),
  });
  const value = { name: 'n', password: 'p', hash: 'h', links: ['l'], inner: { a: 'a', secret: 's' } };
  assert.equal(text(Schema, value), '{"inner":{"a":"a"},"name":"n"}');
});

test('dates are written in whole seconds, large integers as numbers', () => {
  const Schema = Type.Object({
    at: DateTime(),
    bytes: Type.Integer(),
    free: Type.Unknown(),
    stored: DateTime(),
  });
  const at = new Date('2024-08-05T07:30:15.250Z');
  assert.equal(
    text(Schema, { at, bytes: 12n, free: [at], stored: '2024-08-05T07:30:15.250Z' }),
    '{"at":"2024-08-05T07:30:15Z","bytes":12,"free":["2024-08-05T07:30:15Z"],"stored":"2024-08-05T07:30:15Z"}',
  );
});

test('secrets are masked according to the schema', () => {
  const Schema = Type.Object({
    apiKey: Type.String({ 'x-mask': 'secret' }),
    privateKey: Type.String({ 'x-mask': 'privateKey' }),
  });
  assert.equal(
    text(Schema, { apiKey: '0123456789abcdef', privateKey: '01234567-89ab-cdef-0123-456789abcdef' }),
    '{"apiKey":"********cdef","privateKey":"********-****-****-456789abcdef"}',
  );
});

test('selects the alternative that matches the value', () => {
  const Cat = Type.Object({ kind: Type.Literal('cat'), lives: Type.Integer() });
  const Dog = Type.Object({ kind: Type.Literal('dog'), tricks: Type.Array(Type.String()) });
  const Schema = Type.Union([Type.Boolean(), Cat, Dog]);
  assert.equal(text(Schema, true), 'true');
  assert.equal(text(Schema, { tricks: ['sit'], lives: 9, kind: 'dog' }), '{"kind":"dog","tricks":["sit"]}');
  assert.throws(() => text(Schema, 'bird'), /matches none of the alternatives/);
});

test('parts of allOf form one object', () => {
  const Schema = Type.Intersect([Type.Object({ b: Type.String() }), Type.Object({ a: Type.String() })]);
  assert.equal(text(Schema, { b: '2', a: '1' }), '{"a":"1","b":"2"}');
});

test('a nested entity has a link of its own', () => {
  const Inner = entity(Type.Object({ id: Type.String(), zone: Type.String() }), {
    name: 'inner',
    self: 'getInner',
    params: ({ id }) => ({ id }),
  });
  const present = presenter(Type.Object({ inner: Inner }));
  const document = present({ inner: { zone: 'z', id: 'i' } }, (rule, value) => [
    { href: `${rule.self} ${JSON.stringify(value)}`, rel: 'self' },
  ]);
  assert.equal(
    JSON.stringify(document),
    JSON.stringify({
      inner: { id: 'i', links: [{ href: 'getInner {"zone":"z","id":"i"}', rel: 'self' }], zone: 'z' },
    }),
  );
});

test('a result that does not match its schema is an error and is not sent', () => {
  assert.throws(() => text(Type.Object({}), 'text'), TypeError);
  assert.throws(() => text(Type.Array(Type.String()), { 0: 'a' }), TypeError);
});
