import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { Choice, DateTime, readOnly, Tag } from './fields.ts';
import type { AnyOperation } from './operation.ts';
import type { EdgeServices } from './options.ts';
import { errorBody, GROUP, operation, testApi, variant } from './testing.ts';

const Ship = Type.Object({
  captain: Type.Optional(
    Type.Object({ mail: Type.Optional(Type.String({ format: 'email' })), name: Type.String() }),
  ),
  id: readOnly(Type.String()),
  built: readOnly(DateTime()),
  anchor: Type.Optional(
    Type.Union([
      Type.Object({ form: Choice(['hook']), arms: Type.Optional(Choice(['two', 'four'])) }),
      Type.Object({ form: Choice(['stone']), weight: Type.Optional(Type.Integer()) }),
    ]),
  ),
  cargo: Type.Optional(
    Type.Union([
      Type.Object({ kind: Type.Literal('oil'), barrels: Type.Integer({ minimum: 1 }) }),
      Type.Object({ kind: Type.Literal('people'), seats: Type.Integer() }),
      Type.Boolean(),
    ]),
  ),
  crew: Type.Optional(Type.Integer({ minimum: 0, maximum: 5000 })),
  decks: Type.Optional(
    Type.Array(Type.Object({ id: readOnly(Type.String()), level: Type.Integer() }), { maxItems: 2 }),
  ),
  flags: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
  kind: Choice(['SAIL', 'STEAM']),
  masts: Type.Optional(Type.Integer({ minimum: 1 })),
  name: Type.String({ minLength: 2, pattern: '^[A-Z]' }),
  notes: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  sails: Type.Optional(DateTime()),
  site: Type.Optional(Type.String({ format: 'uri' })),
  tags: Type.Optional(Type.Array(Tag)),
  tonnage: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  wheel: Type.Optional(Type.Integer({ format: 'int32' })),
});

const good = { kind: 'SAIL', name: 'Ark' };
const url = `/api/service/v2/groups/${GROUP}/ships`;

/** The schema of the reply, which contains the body that the handler received. */
const seen = Type.Object({ body: Type.Unknown() });

const createShip = operation({
  id: 'createShip',
  summary: 'Makes a ship.',
  tag: 'Ships',
  method: 'POST',
  path: '/groups/{groupId}/ships',
  access: 'Project Owner',
  body: Ship,
  reply: seen,
  status: 200,
  handler: async ({ body }) => ({ body }),
});

async function service(
  t: Parameters<typeof testApi>[0],
  operations: AnyOperation<EdgeServices>[] = [createShip],
  more = {},
) {
  const { send } = await testApi(t, operations, more);
  return (payload: unknown, headers: Record<string, string> = {}) =>
    send({
      method: 'POST',
      url,
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      headers: { 'content-type': 'application/json', ...headers },
    });
}

/**
 * Fields that make a valid body invalid, with the code and the parameters of the expected error. `field` is
 * the field that the error concerns, if the parameters do not name this field.
 */
const problems: readonly [fields: object, code: string, parameters: string[], field?: string][] = [
  [{ nmae: 'Ark', name: undefined }, 'INVALID_ATTRIBUTE', ['nmae']],
  [{ captain: { name: 'N', age: 9 } }, 'INVALID_ATTRIBUTE', ['captain.age']],
  [{ decks: [{ level: 1 }, { level: 2, colour: 'red' }] }, 'INVALID_ATTRIBUTE', ['decks.1.colour']],
  [{ name: undefined }, 'MISSING_ATTRIBUTE', ['name']],
  [{ name: null }, 'MISSING_ATTRIBUTE', ['name']],
  [{ name: undefined, kind: undefined }, 'MISSING_ATTRIBUTES', ['kind, name']],
  [{ captain: {} }, 'MISSING_ATTRIBUTE', ['captain.name']],
  [{ crew: '5' }, 'INVALID_JSON_ATTRIBUTE', ['crew']],
  [{ crew: 1.5 }, 'INVALID_JSON_ATTRIBUTE', ['crew']],
  [{ captain: 'Nemo' }, 'INVALID_JSON_ATTRIBUTE', ['captain']],
  [{ decks: { level: 1 } }, 'INVALID_JSON_ATTRIBUTE', ['decks']],
  [{ decks: [{ level: true }] }, 'INVALID_JSON_ATTRIBUTE', ['decks.0.level']],
  [{ flags: { red: 'yes' } }, 'INVALID_JSON_ATTRIBUTE', ['flags.red']],
  [{ kind: 'STEEM' }, 'INVALID_ENUM_VALUE', ['STEEM'], 'kind'],
  [{ kind: 7 }, 'INVALID_JSON_ATTRIBUTE', ['kind']],
  [{ crew: -1 }, 'ATTRIBUTE_NEGATIVE', ['crew']],
  [{ masts: 0 }, 'ATTRIBUTE_NEGATIVE_OR_ZERO', ['masts']],
  [{ tonnage: -0.5 }, 'ATTRIBUTE_NEGATIVE_OR_ZERO', ['tonnage']],
  [{ crew: 5001 }, 'VALIDATION_ERROR', ['crew must be <= 5000'], 'crew'],
  [{ wheel: 2 ** 31 }, 'VALIDATION_ERROR', ['wheel must match format "int32"'], 'wheel'],
  [{ name: 'A' }, 'VALIDATION_ERROR', ['name must NOT have fewer than 2 characters'], 'name'],
  [{ name: 'ark' }, 'VALIDATION_ERROR', ['name must match pattern "^[A-Z]"'], 'name'],
  [
    { decks: [{ level: 1 }, { level: 2 }, { level: 3 }] },
    'VALIDATION_ERROR',
    ['decks must NOT have more than 2 items'],
    'decks',
  ],
  [
    { tags: [{ key: '', value: 'v' }] },
    'VALIDATION_ERROR',
    ['tags.0.key must NOT have fewer than 1 characters'],
    'tags.0.key',
  ],
  [{ sails: 'tomorrow' }, 'INVALID_DATE_FORMAT', ['tomorrow'], 'sails'],
  [{ sails: '2024-02-30' }, 'INVALID_DATE_FORMAT', ['2024-02-30'], 'sails'],
  [{ captain: { name: 'N', mail: 'n' } }, 'INVALID_EMAIL_ADDRESS', [], 'captain.mail'],
  [{ site: 'not a url' }, 'INVALID_URL', ['not a url'], 'site'],
  [{ cargo: { kind: 'oil', barrels: 0 } }, 'ATTRIBUTE_NEGATIVE_OR_ZERO', ['cargo.barrels']],
  [{ cargo: { kind: 'oil', seats: 1 } }, 'INVALID_ATTRIBUTE', ['cargo.seats']],
  [{ cargo: { kind: 'people' } }, 'MISSING_ATTRIBUTE', ['cargo.seats']],
  [{ cargo: { kind: 'gold', seats: 1 } }, 'INVALID_ENUM_VALUE', ['gold'], 'cargo.kind'],
  [{ cargo: 7 }, 'INVALID_JSON_ATTRIBUTE', ['cargo']],
  [{ anchor: { form: 'hook', arms: 'ten' } }, 'INVALID_ENUM_VALUE', ['ten'], 'anchor.arms'],
  [{ anchor: { form: 'stone', arms: 'two' } }, 'INVALID_ATTRIBUTE', ['anchor.arms']],
  [{ anchor: { weight: 7 } }, 'MISSING_ATTRIBUTE', ['anchor.form']],
  [{ anchor: { form: 'plough' } }, 'INVALID_ENUM_VALUE', ['plough'], 'anchor.form'],
];

test('the first problem of a body is reported by its own code, with the field or the value', async (t) => {
  const post = await service(t);
  for (const [fields, code, parameters, field] of problems) {
    const answer = await post({ ...good, ...fields });
    const { errorCode, parameters: told, error, badRequestDetail, detail } = answer.json();
    assert.deepEqual([error, errorCode, told], [400, code, parameters], JSON.stringify(fields));
    const names = badRequestDetail.fields.map((each: { field: string }) => each.field);
    assert.deepEqual(names, field === undefined ? parameters.join(', ').split(', ') : [field]);
    for (const name of names) assert.ok(detail.includes(name), detail);
  }
});

test('a violated length or range lists the field', async (t) => {
  const post = await service(t);
  const answer = await post({ ...good, crew: 5001 });
  assert.equal(
    answer.body,
    '{"badRequestDetail":{"fields":[{"description":"must be <= 5000","field":"crew"}]},' +
      '"detail":"crew must be <= 5000","error":400,"errorCode":"VALIDATION_ERROR",' +
      '"parameters":["crew must be <= 5000"],"reason":"Bad Request"}',
  );
  assert.equal(answer.headers['x-error-code'], 'VALIDATION_ERROR');
});

test('a value outside an enumeration is reported with its field and the allowed values', async (t) => {
  const post = await service(t);
  const { badRequestDetail } = (await post({ ...good, anchor: { form: 'plough' } })).json();
  assert.equal(badRequestDetail.fields[0].description, 'must be one of hook, stone');
  assert.deepEqual((await post({ ...good, kind: 'STEEM' })).json(), {
    badRequestDetail: { fields: [{ description: 'must be one of SAIL, STEAM', field: 'kind' }] },
    ...errorBody(
      400,
      'INVALID_ENUM_VALUE',
      ['STEEM'],
      'kind: The value STEEM is not allowed here.',
      'Bad Request',
    ),
  });
});

test('an error does not repeat a long text', async (t) => {
  const post = await service(t);
  const long = `${'x'.repeat(999)}\u{1f6a2}${'y'.repeat(100_000)}`;
  for (const body of [
    { ...good, [long]: 1 },
    { ...good, kind: long },
    { ...good, sails: long },
    { ...good, site: long },
    { ...good, flags: { [long]: 7 } },
    `{"${long}":1,"${long}":2}`,
  ]) {
    const answer = await post(body);
    assert.equal(answer.statusCode, 400);
    assert.ok(answer.body.length < 10_000 && answer.body.isWellFormed(), answer.body.slice(0, 200));
    assert.match(answer.json().parameters[0], /x{900}…$/);
  }
});

test('a body that is not an object and a body that is not JSON have different errors', async (t) => {
  const post = await service(t);
  const codes = {
    '{"kind":': 'MALFORMED_JSON',
    '[]': 'INVALID_JSON',
    '"text"': 'INVALID_JSON',
    null: 'INVALID_JSON',
  };
  for (const [payload, code] of Object.entries(codes)) {
    const answer = (await post(payload)).json();
    assert.deepEqual([answer.error, answer.errorCode, answer.parameters], [400, code, []], payload);
  }
  assert.equal((await post(Buffer.from([0x22, 0xff, 0x22]) as unknown as string)).statusCode, 400);
});

test('a repeated name and a document that is too deep are rejected', async (t) => {
  const post = await service(t);
  const twice = (await post('{"kind":"SAIL","name":"Ark","kind":"STEAM"}')).json();
  assert.deepEqual(twice.parameters, ['kind is given more than once in one object.']);
  const deep = (await post(`{"name":${'['.repeat(64)}${']'.repeat(64)}}`)).json();
  assert.deepEqual(deep.parameters, ['The document is nested deeper than 64 levels.']);
});

test('a body that is too large is rejected with 413', async (t) => {
  const post = await service(t, [createShip], { limits: { bodyBytes: 100 } });
  const answer = await post({ ...good, notes: 'x'.repeat(100) });
  assert.deepEqual([answer.statusCode, answer.json().errorCode], [413, 'UNEXPECTED_ERROR']);
  assert.equal(answer.json().detail, 'The body is larger than 100 bytes.');
});

test('both media types are accepted, with or without a charset; others are not, unless the body is empty', async (t) => {
  const post = await service(t);
  const understood = [
    'application/json',
    'application/json; charset=utf-8',
    'application/JSON;charset="UTF-8"',
    'application/vnd.service.2025-03-12+json',
    'application/vnd.service.2023-01-01+json; charset=utf-8',
  ];
  for (const type of understood)
    assert.equal((await post(good, { 'content-type': type })).statusCode, 200, type);
  const others = [
    'text/plain',
    'application/xml',
    'application/merge-patch+json',
    'application/json; charset=utf-16',
    'nonsense',
  ];
  for (const type of others) {
    const answer = await post(good, { 'content-type': type });
    assert.deepEqual([answer.statusCode, answer.json().errorCode], [415, 'UNEXPECTED_ERROR'], type);
  }
  assert.equal((await post('', { 'content-type': 'text/plain' })).json().errorCode, 'MISSING_ATTRIBUTES');
});

test('an empty body counts as an empty object', async (t) => {
  const post = await service(t);
  for (const payload of ['', '  \n']) {
    assert.deepEqual((await post(payload)).json().parameters, ['kind, name']);
  }
});

test('handlers receive values as sent, dates in UTC, and no defaults', async (t) => {
  const post = await service(t);
  const sent = {
    ...good,
    cargo: { kind: 'people', seats: 2 },
    flags: { red: true, links: false },
    sails: '2024-08-05T09:30:00+02:00',
  };
  assert.deepEqual((await post(sent)).json(), {
    body: { ...sent, sails: '2024-08-05T07:30:00Z' },
  });
});

test('null counts as absent unless the schema allows it', async (t) => {
  const post = await service(t);
  const answer = await post({
    ...good,
    captain: null,
    crew: null,
    notes: null,
    decks: [{ level: 1, id: null }],
  });
  assert.deepEqual(answer.json(), { body: { ...good, decks: [{ level: 1 }], notes: null } });
});

test('an operation without a body rejects fields, but DELETE ignores the body', async (t) => {
  const plain = { id: 'launch', summary: '', tag: 'Ships', access: 'Project Owner', status: 204 } as const;
  const launch = operation({
    ...plain,
    method: 'POST',
    path: '/groups/{groupId}/launch',
    handler: async () => {},
  });
  const sink = operation({
    ...plain,
    id: 'sink',
    method: 'DELETE',
    path: '/groups/{groupId}/launch',
    handler: async () => {},
  });
  const { send } = await testApi(t, [launch, sink]);
  const at = `/api/service/v2/groups/${GROUP}/launch`;
  assert.equal((await send({ method: 'POST', url: at })).statusCode, 204);
  assert.equal((await send({ method: 'POST', url: at, payload: {} })).statusCode, 204);
  assert.deepEqual((await send({ method: 'POST', url: at, payload: { a: 1 } })).json().parameters, ['a']);
  assert.equal((await send({ method: 'DELETE', url: at, payload: { a: 1 } })).statusCode, 204);
});

test('a body may be a list', async (t) => {
  const addTags = variant(createShip, { body: Type.Array(Tag, { minItems: 1 }) });
  const post = await service(t, [addTags]);
  const tags = [{ key: 'a', value: 'b' }];
  assert.deepEqual((await post(tags)).json().body, tags);
  assert.deepEqual((await post([{ key: 'a', value: 1 }])).json().parameters, ['0.value']);
  assert.equal((await post({})).json().errorCode, 'INVALID_JSON');
  assert.equal((await post('')).json().errorCode, 'INVALID_JSON');
});

test('no document causes an internal error', async (t) => {
  const post = await service(t);
  const names = fc.constantFrom(...Object.keys(Ship.properties), 'links', 'constructor', 'toString', '');
  const fields = fc.dictionary(names, fc.jsonValue({ maxDepth: 4 }));
  const documents = fc.oneof(
    fc.jsonValue(),
    fields,
    fields.map((more) => ({ ...good, ...more })),
  );
  await fc.assert(
    fc.asyncProperty(documents, async (document) => {
      const { statusCode, body } = await post(document);
      assert.ok(statusCode === 200 || statusCode === 400, `${statusCode} ${body}`);
    }),
    { numRuns: 300 },
  );
});
