import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { faults } from '@portolan/foundation/faults';
import Type from 'typebox';
import { DocumentLibrary } from '../documents/index.ts';
import { exampleInput } from '../documents/testing.ts';
import { entity } from '../entity.ts';
import { Choice, Links, readOnly } from '../fields.ts';
import { operation as declare, errorBody, testApi } from '../testing.ts';
import type { Dialect } from './dialect.ts';

/**
 * Each alternative of the entity has a field that the dialect calls `key`. The declared names of these fields differ.
 */
const Cargo = entity(
  Type.Unsafe<{ readonly type: string; readonly [field: string]: unknown }>({
    anyOf: [
      Type.Object({ boxKey: Type.String(), links: Links, type: Choice(['BOX']) }),
      Type.Object({
        crateKey: Type.String(),
        links: Links,
        tons: Type.Optional(Type.Integer({ default: 1 })),
        type: Choice(['CRATE']),
      }),
    ],
  }),
  { name: 'cargo', self: 'getCargo', params: () => ({}) },
);
/** An entity without changes that has a field of the same name. */
const Hold = entity(Type.Object({ boxKey: Type.String(), links: Links }), {
  name: 'hold',
  self: 'getHold',
  params: () => ({}),
});

const cargoFaults = faults({ CARGO_REFUSED: [400, 'The field {0} is refused.'] });
const received: unknown[] = [];

const common = { tag: 'Cargo', access: 'any caller', status: 200 } as const;
const operations = [
  declare({
    id: 'getCargo',
    ...common,
    method: 'GET',
    path: '/cargo',
    summary: 'Returns the cargo.',
    reply: Cargo,
    handler: async () => ({ type: 'CRATE', crateKey: 'k', seal: 'red' }),
  }),
  declare({
    id: 'storeCargo',
    ...common,
    method: 'POST',
    path: '/cargo',
    summary: 'Stores cargo.',
    body: Cargo,
    reply: Cargo,
    async handler({ body }) {
      received.push(body);
      if (body.boxKey === 'bad') throw cargoFaults.CARGO_REFUSED('boxKey');
      return body;
    },
  }),
  ...['getHold', 'listHold', 'viewHold'].map((id) =>
    declare({
      id,
      ...common,
      method: 'GET',
      path: `/${id}`,
      summary: 'Returns the hold.',
      versions: {
        '2023-01-01': { write: ({ boxKey }: { boxKey: string }) => ({ boxKey: `old ${boxKey}` }) },
        '2025-03-12': 'same',
      },
      reply: Hold,
      handler: async () => ({ boxKey: 'k' }),
    }),
  ),
];

function withoutZeroTons(cargo: unknown): unknown {
  const { tons, ...others } = cargo as Readonly<Record<string, unknown>>;
  return tons === 0 ? others : cargo;
}

const vendor: Dialect = {
  name: 'vendor',
  bases: {
    legacy: '/api/vendor/v1.0',
    versioned: '/api/vendor/v2',
    documents: '/api/vendor/openapi',
    referencePage: '/api/vendor/docs',
  },
  title: 'Vendor API',
  mediaPrefix: 'vendor',
  changes: {
    words: { fields: {}, values: {}, texts: {}, segments: {}, parameters: {} },
    faults: { codes: {}, parts: {} },
    entities: {
      cargo: {
        fields: { boxKey: 'key', crateKey: 'key' },
        isUnlinked: true,
        more: ({ properties }) =>
          properties?.tons === undefined
            ? {}
            : { dry: readOnly(Type.Boolean({ default: true })), seal: Type.Optional(Type.String()) },
        present: ({ key, ...cargo }) => ({ ...cargo, key: `<${key}>` }),
      },
    },
    operations: {
      getHold: { versions: 'all' },
      listHold: { versions: 'contract' },
      storeCargo: { prepare: withoutZeroTons },
    },
    unserved: [],
    isLenient: true,
  },
};

async function vendorApi(t: TestContext) {
  const { send } = await testApi(t, operations, { parameters: {}, dialects: [vendor] });
  return async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const headers = { accept: 'application/vnd.vendor.2025-03-12+json' };
    const url = `/api/vendor/v2${path}`;
    const reply = await send({ method, url, headers, ...(payload && { payload }) });
    const date = /\d{4}-\d\d-\d\d/.exec(String(reply.headers['content-type']))?.[0];
    return { status: reply.statusCode, date, body: JSON.parse(reply.body) };
  };
}

describe('an entity of a dialect', () => {
  it('has names, fields and values of its own, and no links', async (t) => {
    const send = await vendorApi(t);
    assert.deepEqual((await send('GET', '/cargo')).body, {
      dry: true,
      key: '<k>',
      seal: 'red',
      tons: 1,
      type: 'CRATE',
    });
    const { send: plain } = await testApi(t, operations, { parameters: {}, dialects: [vendor] });
    const neutral = JSON.parse((await plain({ url: '/api/service/v2/cargo' })).body);
    assert.deepEqual(Object.keys(neutral), ['crateKey', 'links', 'tons', 'type']);
  });

  it('is read by the names of the alternative that was sent', async (t) => {
    const send = await vendorApi(t);
    received.length = 0;
    await send('POST', '/cargo', { type: 'BOX', key: 'a' });
    await send('POST', '/cargo', { type: 'CRATE', key: 'b', dry: false, tons: 2 });
    await send('POST', '/cargo', { type: 'CRATE', key: 'c', tons: 0 });
    assert.deepEqual(received, [
      { type: 'BOX', boxKey: 'a' },
      { type: 'CRATE', crateKey: 'b', tons: 2 },
      { type: 'CRATE', crateKey: 'c' },
    ]);
    const refused = await send('POST', '/cargo', { type: 'BOX', key: 'bad' });
    const detail = 'The field key is refused.';
    assert.deepEqual(refused.body, errorBody(400, 'CARGO_REFUSED', ['key'], detail, 'Bad Request'));
  });

  it('leaves entities without changes as they are', async (t) => {
    const send = await vendorApi(t);
    const { body } = await send('GET', '/getHold');
    assert.deepEqual(Object.keys(body), ['boxKey', 'links']);
  });

  it('appears in the OpenAPI documents', async () => {
    const input = { ...exampleInput, operations, parameters: {}, dialect: vendor };
    const text = (await new DocumentLibrary(input).get('2025-03-12'))?.body ?? '';
    assert.match(text, /"dry"/);
    assert.doesNotMatch(text, /"crateKey"/);
  });
});

describe('an operation of a dialect', () => {
  it('lacks the version of the contract, has it, or has its shape on every date', async (t) => {
    const send = await vendorApi(t);
    const shape = async (path: string) => {
      const { date, body } = await send('GET', path);
      return [date, body.boxKey];
    };
    assert.deepEqual(await shape('/viewHold'), ['2023-01-01', 'old k']);
    assert.deepEqual(await shape('/getHold'), ['2025-03-12', 'k']);
    assert.deepEqual(await shape('/listHold'), ['2023-01-01', 'k']);
  });
});
