import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { faults } from '@portolan/foundation/faults';
import Type from 'typebox';
import { DocumentLibrary } from '../documents/index.ts';
import { exampleInput } from '../documents/testing.ts';
import { entity } from '../entity.ts';
import { generalFaults } from '../faults.ts';
import { Choice, DateTime, readOnly } from '../fields.ts';
import { operation as declare, errorBody, PUBLIC_URL, testApi } from '../testing.ts';
import type { Dialect } from './dialect.ts';
import { faultIn } from './fault-words.ts';

const Ship = entity(
  Type.Object({
    captain: Type.Object({ rankName: Type.String() }),
    hull: Choice(['WOOD', 'PLAIN_STEEL']),
    launched: Type.Optional(readOnly(DateTime())),
    masts: Type.Optional(Type.Integer()),
    name: Type.String(),
    papers: Type.Optional(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
    rig: Type.Optional(Choice(['CUTTER', 'YAWL'])),
  }),
  { name: 'ship', self: 'getShip', params: ({ name }) => ({ shipName: name }) },
);

const shipFaults = faults({ PLAIN_SHIP_TAKEN: [409, 'The attribute {0} is taken: {1}.'] });

const received: unknown[] = [];
const stored = {
  captain: { rankName: 'plain mate' },
  hull: 'PLAIN_STEEL' as const,
  launched: new Date('2024-05-06T07:08:09.100Z'),
  masts: 2,
  name: 'plain-anna',
  papers: { rankName: 'plain master', note: 'plain', list: [{ rankName: 'other' }] },
};
const operations = [
  declare({
    id: 'getShip',
    tag: 'Ships',
    method: 'GET',
    path: '/plainShips/{shipName}',
    summary: 'Returns one ship.',
    access: 'any caller',
    query: Type.Object({
      decks: Type.Optional(Type.Array(Type.String(), { maxItems: 1, uniqueItems: true })),
      rig: Type.Optional(Choice(['CUTTER', 'YAWL'])),
    }),
    versions: {
      '2023-01-01': { write: ({ masts: _, ...ship }) => ship },
      '2024-08-05': {},
      '2025-03-12': 'same',
    },
    reply: Ship,
    status: 200,
    handler: async ({ params, query }) => ({ ...stored, ...query, name: params.shipName }),
  }),
  declare({
    id: 'createShip',
    tag: 'Ships',
    method: 'POST',
    path: '/plainShips',
    summary: 'Creates one ship.',
    access: 'any caller',
    body: Ship,
    reply: Ship,
    status: 201,
    async handler({ body }) {
      received.push(body);
      if (body.name === 'taken') throw shipFaults.PLAIN_SHIP_TAKEN('captain.rankName', 'PLAIN_STEEL');
      return body;
    },
  }),
  declare({
    id: 'renameShip',
    tag: 'Ships',
    method: 'PATCH',
    path: '/plainShips/{shipName}',
    summary: 'Renames one ship.',
    access: 'any caller',
    body: Type.Object({ name: Type.String() }),
    reply: Ship,
    status: 200,
    handler: async ({ body }) => ({ ...stored, ...body }),
  }),
];

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
    words: {
      fields: { hull: 'vendorHull', launched: 'vendorLaunched' },
      values: { PLAIN_STEEL: 'VENDOR_STEEL' },
      more: { YAWL: ['KETCH'] },
      texts: { rankName: { beginning: { 'plain ': 'vendor ' } } },
      segments: { plainShips: 'vendorShips' },
      parameters: { shipName: { beginning: { 'plain-': 'vendor-' } } },
    },
    faults: { codes: {}, parts: { PLAIN: 'VENDOR' }, texts: { INVALID_ENUM_VALUE: 'There is no {0}.' } },
    entities: {},
    operations: { createShip: { status: 200 } },
    unserved: [{ method: 'GET', path: '/boats/{boatName}', family: 'Boats' }],
    isLenient: true,
  },
};

const parameters = { shipName: { description: 'The name.' } };
const base = '/api/vendor/v2';

async function vendorApi(t: TestContext) {
  const { send } = await testApi(t, operations, { parameters, dialects: [vendor] });
  return async (method: 'GET' | 'POST', url: string, date = '2025-03-12', payload?: object) => {
    const headers = { accept: `application/vnd.vendor.${date}+json` };
    const {
      body,
      statusCode,
      headers: received,
    } = await send({ method, url, headers, ...(payload && { payload }) });
    return { status: statusCode, type: received['content-type'], body: JSON.parse(body) };
  };
}

describe('a dialect', () => {
  it('can accept lists in queries that are longer than documented', async (t) => {
    const send = await vendorApi(t);
    const read = async (query: string) =>
      (await send('GET', `${base}/vendorShips/vendor-anna?${query}`)).status;
    assert.deepEqual([await read('decks=a&decks=b'), await read('decks=a&decks=a')], [200, 400]);
    const { send: ask } = await testApi(t, operations, { parameters });
    const neutral = await ask({ url: '/api/service/v2/plainShips/plain-anna?decks=a&decks=b' });
    assert.equal(neutral.statusCode, 400);
  });

  it('has its own paths, media types, words and links, and no version of the contract', async (t) => {
    const send = await vendorApi(t);
    assert.deepEqual(await send('GET', `${base}/vendorShips/vendor-anna`), {
      status: 200,
      type: 'application/vnd.vendor.2024-08-05+json;charset=utf-8',
      body: {
        captain: { rankName: 'vendor mate' },
        links: [{ href: `${PUBLIC_URL}${base}/vendorShips/vendor-anna`, rel: 'self' }],
        masts: 2,
        name: 'plain-anna',
        papers: { list: [{ rankName: 'other' }], note: 'plain', rankName: 'vendor master' },
        vendorHull: 'VENDOR_STEEL',
        vendorLaunched: '2024-05-06T07:08:09Z',
      },
    });
    const former = await send('GET', `${base}/vendorShips/vendor-anna`, '2023-12-31');
    assert.equal(former.type, 'application/vnd.vendor.2023-01-01+json;charset=utf-8');
    assert.equal(former.body.masts, undefined);
    assert.equal(former.body.vendorHull, 'VENDOR_STEEL');
  });

  it('leaves the neutral form as it is', async (t) => {
    const { send } = await testApi(t, operations, { parameters, dialects: [vendor] });
    const { body } = await send({ url: '/api/service/v2/plainShips/plain-anna' });
    const { hull, captain, links } = JSON.parse(body);
    assert.deepEqual(
      { hull, captain, links },
      {
        hull: 'PLAIN_STEEL',
        captain: { rankName: 'plain mate' },
        links: [{ href: `${PUBLIC_URL}/api/service/v2/plainShips/plain-anna`, rel: 'self' }],
      },
    );
    assert.equal((await send({ url: '/api/service/v2/vendorShips/plain-anna' })).statusCode, 404);
  });

  it('hands bodies to handlers in the declared words, without read-only and unset fields', async (t) => {
    const send = await vendorApi(t);
    const ship = {
      captain: { rankName: 'vendor mate' },
      name: 'vendor',
      papers: { rankName: 'vendor master', hull: 'PLAIN_STEEL' },
      rig: '',
      vendorHull: 'VENDOR_STEEL',
      vendorLaunched: '0001-01-01T00:00:00Z',
      sails: 0,
      flags: [],
    };
    received.length = 0;
    const { status, body } = await send('POST', `${base}/vendorShips`, undefined, ship);
    assert.equal(status, 200);
    assert.equal(body.vendorHull, 'VENDOR_STEEL');
    assert.deepEqual(received, [
      {
        captain: { rankName: 'plain mate' },
        hull: 'PLAIN_STEEL',
        name: 'vendor',
        papers: { rankName: 'plain master', hull: 'PLAIN_STEEL' },
      },
    ]);
  });

  it('accepts values that it adds to enumerations', async (t) => {
    const { send } = await testApi(t, operations, { parameters, dialects: [vendor] });
    const ship = { captain: { rankName: 'mate' }, name: 'anna', rig: 'KETCH' };
    const post = (url: string, payload: object) => send({ method: 'POST', url, payload });
    received.length = 0;
    const made = await post(`${base}/vendorShips`, { ...ship, vendorHull: 'WOOD' });
    assert.deepEqual([made.statusCode, JSON.parse(made.body).rig], [200, 'KETCH']);
    assert.partialDeepStrictEqual(received, [{ hull: 'WOOD', rig: 'KETCH' }]);
    const neutral = await post('/api/service/v2/plainShips', { ...ship, hull: 'WOOD' });
    assert.deepEqual([neutral.statusCode, JSON.parse(neutral.body).errorCode], [400, 'INVALID_ENUM_VALUE']);
  });

  it('ignores read-only fields of the reply in bodies, which the neutral form does not', async (t) => {
    const { send } = await testApi(t, operations, { parameters, dialects: [vendor] });
    const rename = async (place: string, payload: object) =>
      JSON.parse((await send({ method: 'PATCH', url: `${place}/plain-anna`, payload })).body);
    const launched = '2024-05-06T07:08:09Z';
    const body = await rename(`${base}/vendorShips`, { name: 'berta', vendorLaunched: launched });
    assert.equal(body.name, 'berta');
    const neutral = await rename('/api/service/v2/plainShips', { name: 'berta', launched });
    assert.equal(neutral.errorCode, 'INVALID_ATTRIBUTE');
    const other = await rename(`${base}/vendorShips`, { name: 'berta', masts: 3 });
    assert.equal(other.errorCode, 'INVALID_ATTRIBUTE');
  });

  it('ignores the case of enumerated values in queries, which the neutral form does not', async (t) => {
    const { send } = await testApi(t, operations, { parameters, dialects: [vendor] });
    const rigIn = async (place: string) =>
      JSON.parse((await send({ url: `${place}/plain-anna?rig=Yawl` })).body);
    assert.equal((await rigIn(`${base}/vendorShips`)).rig, 'YAWL');
    assert.equal((await rigIn('/api/service/v2/plainShips')).errorCode, 'INVALID_QUERY_PARAMETER');
  });

  it('names fields and codes in errors as the caller knows them', async (t) => {
    const send = await vendorApi(t);
    const ship = { captain: { rankName: 'mate' }, name: 'taken', vendorHull: 'WOOD' };
    const bad = await send('POST', `${base}/vendorShips`, undefined, { ...ship, vendorHull: 'PLAIN_STEEL' });
    assert.deepEqual(bad.body.badRequestDetail, {
      fields: [{ description: 'must be one of WOOD, VENDOR_STEEL', field: 'vendorHull' }],
    });
    const taken = await send('POST', `${base}/vendorShips`, undefined, ship);
    const detail = 'The attribute captain.rankName is taken: VENDOR_STEEL.';
    const parameters = ['captain.rankName', 'VENDOR_STEEL'];
    assert.deepEqual(taken.body, errorBody(409, 'VENDOR_SHIP_TAKEN', parameters, detail, 'Conflict'));
    const unknown = await send('POST', `${base}/vendorShips`, undefined, { ...ship, sails: 3 });
    assert.equal(unknown.body.errorCode, 'INVALID_ATTRIBUTE');
  });

  it('answers 501 with the family for its operations that are not served', async (t) => {
    const send = await vendorApi(t);
    const { status, body } = await send('GET', `${base}/boats/x`);
    assert.equal(status, 501);
    const detail = 'This service does not offer Boats.';
    assert.deepEqual(body, errorBody(501, 'RESOURCE_NOT_AVAILABLE', ['Boats'], detail, 'Not Implemented'));
    assert.equal((await send('GET', `${base}/boats`)).status, 404);
  });

  it('has OpenAPI documents of its own', async () => {
    const input = { ...exampleInput, operations, parameters, dialect: vendor };
    const text = (await new DocumentLibrary(input).get('2024-08-05'))?.body ?? '';
    const { info, paths } = JSON.parse(text);
    assert.equal(info.title, 'Vendor API');
    assert.deepEqual(Object.keys(paths), [`${base}/vendorShips`, `${base}/vendorShips/{shipName}`]);
    assert.match(text, /"vendorHull"/);
    assert.doesNotMatch(text, /"hull"|PLAIN_STEEL|vnd\.service/);
  });
});

describe('faultIn', () => {
  it('changes the code, and parameters and fields that are words, but no other text', () => {
    const fault = shipFaults.PLAIN_SHIP_TAKEN('ship.hull', 'PLAIN_STEEL').at('hull');
    const own = faultIn(fault, vendor.changes);
    assert.deepEqual(
      {
        code: own.code,
        status: own.status,
        message: own.message,
        parameters: own.parameters,
        fields: own.fields,
      },
      {
        code: 'VENDOR_SHIP_TAKEN',
        status: 409,
        message: 'vendorHull: The attribute ship.vendorHull is taken: VENDOR_STEEL.',
        parameters: ['ship.vendorHull', 'VENDOR_STEEL'],
        fields: [
          {
            field: 'vendorHull',
            description: 'The attribute ship.vendorHull is taken: VENDOR_STEEL.',
          },
        ],
      },
    );
    assert.equal(faultIn(fault, undefined), fault);
  });

  it('has the text of the dialect, if it has one', () => {
    const fault = generalFaults.INVALID_ENUM_VALUE('PLAIN_STEEL').at('hull');
    assert.equal(faultIn(fault, vendor.changes).message, 'There is no VENDOR_STEEL.');
  });
});
