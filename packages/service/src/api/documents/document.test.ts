import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import Type, { type TSchema } from 'typebox';

import { endpoint } from '../endpoint.ts';
import { ruled } from '../fields.ts';
import { stableText } from '../schema/stable-text.ts';
import { openApiDocument } from './document.ts';
import { editionsOf } from './edition.ts';
import { exampleInput, exampleOperations } from './testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary places of a document
type Loose = any;

function documentOf(name: string): Loose {
  const edition = editionsOf(exampleOperations).find((one) => one.name === name);
  assert.ok(edition);
  return JSON.parse(stableText(openApiDocument(edition, exampleInput)));
}

const ships = '/api/service/v2/groups/{groupId}/ships';
const ship = `${ships}/{shipName}`;

describe('OpenAPI documents', () => {
  it('there is one for each release date, and one for the legacy path', () => {
    const names = editionsOf(exampleOperations).map(({ name }) => name);
    assert.deepEqual(names, ['2023-01-01', '2024-05-30', '2025-03-12', 'v1.0']);
  });

  it('are all valid OpenAPI 3.1', async () => {
    for (const { name } of editionsOf(exampleOperations)) {
      const { valid, errors } = await new Validator().validate(documentOf(name));
      assert.ok(valid, `${name}: ${JSON.stringify(errors)}`);
    }
  });

  it('do not depend on the order of the operations', () => {
    const edition = editionsOf(exampleOperations)[0];
    assert.ok(edition);
    const turned = { ...exampleInput, operations: exampleOperations.toReversed() };
    assert.equal(
      stableText(openApiDocument(edition, turned)),
      stableText(openApiDocument(edition, exampleInput)),
    );
  });

  it('name the version in the media types', () => {
    const { get } = documentOf('2024-05-30').paths[ships];
    assert.deepEqual(Object.keys(get.responses['200'].content), ['application/vnd.service.2023-01-01+json']);
    const { post } = documentOf('2025-03-12').paths[ships];
    assert.deepEqual(Object.keys(post.requestBody.content), [
      'application/json',
      'application/vnd.service.2025-03-12+json',
    ]);
  });

  it('have plain JSON on the legacy path, without later operations', () => {
    const { paths } = documentOf('v1.0');
    const legacyShip = paths['/api/service/v1.0/groups/{groupId}/ships/{shipName}'];
    assert.deepEqual(Object.keys(legacyShip), ['get']);
    assert.deepEqual(Object.keys(legacyShip.get.responses['200'].content), ['application/json']);
    assert.equal(legacyShip.get.responses['200'].headers, undefined);
    assert.equal(legacyShip.get.responses['406'], undefined);
  });

  it('omit operations that a version does not serve', () => {
    assert.deepEqual(Object.keys(documentOf('2024-05-30').paths[ship]), ['delete']);
    assert.deepEqual(Object.keys(documentOf('2025-03-12').paths[ship]), ['delete', 'get']);
  });

  it('mark superseded versions as deprecated', () => {
    const { get } = documentOf('2023-01-01').paths[ship];
    assert.equal(get.deprecated, true);
    assert.deepEqual(Object.keys(get.responses['200'].headers), ['Deprecation', 'Sunset']);
    assert.equal(documentOf('2023-01-01').paths[ships].get.deprecated, undefined);
    assert.equal(documentOf('2025-03-12').paths[ship].get.deprecated, undefined);
  });

  it('show the shape of the version, and distinguish shapes with the same name', () => {
    const { paths, components } = documentOf('2023-01-01');
    const [{ $ref }] =
      paths[ship].get.responses['200'].content['application/vnd.service.2023-01-01+json'].schema.anyOf;
    const old = components.schemas[$ref.split('/').at(-1)];
    assert.deepEqual(old.properties.kind, { type: 'string' });
  });
});

describe('operations of a document', () => {
  it('wrap lists and have the paging parameters', () => {
    const { paths, components } = documentOf('2025-03-12');
    const { get } = paths[ships];
    const { schema: page } = get.responses['200'].content['application/vnd.service.2025-03-12+json'];
    assert.deepEqual(page, { $ref: '#/components/schemas/ListShipsPage' });
    const schema = components.schemas.ListShipsPage;
    assert.deepEqual(Object.keys(schema.properties), ['links', 'results', 'status', 'totalCount']);
    assert.deepEqual(schema.properties.results.items, { $ref: '#/components/schemas/Ship' });
    const names = get.parameters.map((one: Loose) => one.name ?? one.$ref.split('/').at(-1));
    assert.deepEqual(names, [
      'groupId',
      'kind',
      'after',
      'envelope',
      'includeCount',
      'itemsPerPage',
      'pageNum',
      'pretty',
    ]);
  });

  it('describe roles, limits, extensions and credentials', () => {
    const { paths, components } = documentOf('2025-03-12');
    assert.deepEqual(paths[ship].delete['x-roles'], ['ORG_OWNER', 'GROUP_OWNER']);
    assert.equal(paths[ships].get['x-rate-limited'], true);
    const tide = paths['/operator/v1/tide'].get;
    assert.equal(tide['x-extension'], true);
    assert.deepEqual(tide.security, [{ operatorToken: [] }]);
    assert.equal(
      components.securitySchemes.serviceAccount.flows.clientCredentials.tokenUrl,
      'https://127.0.0.1:8443/api/oauth/token',
    );
    assert.equal(components.securitySchemes.digest.scheme, 'digest');
  });

  it('mark operations that a setting limits, by id and by tag', () => {
    const edition = editionsOf(exampleOperations).at(-2);
    assert.ok(edition);
    const limitedBy = (...rateLimited: string[]) => {
      const { paths }: Loose = openApiDocument(edition, { ...exampleInput, rateLimited });
      return [paths[ship].get['x-rate-limited'], paths['/api/service/v2'].get['x-rate-limited']];
    };
    assert.deepEqual(limitedBy(), [undefined, undefined]);
    assert.deepEqual(limitedBy('getShip'), [true, undefined]);
    assert.deepEqual(limitedBy('Root'), [undefined, true]);
  });

  it('require fields with a default, and links of entities, in responses', () => {
    const { Ship, ShipRequest } = documentOf('2025-03-12').components.schemas;
    assert.deepEqual(Ship.required, ['built', 'kind', 'links', 'name', 'tags']);
    assert.deepEqual(ShipRequest.required, ['built', 'kind', 'name']);
    assert.equal(Ship.properties.kind.default, 'sail');
    assert.equal(ShipRequest.properties.kind.default, undefined);
  });

  it('show responses with and without an envelope', () => {
    const { paths, components } = documentOf('2025-03-12');
    const { schema } = paths[ship].get.responses['200'].content['application/vnd.service.2025-03-12+json'];
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    assert.deepEqual(schema, { anyOf: [ref('Ship'), ref('ShipEnvelope')] });
    const { properties, required } = components.schemas.ShipEnvelope;
    assert.deepEqual([properties.content, required], [ref('Ship'), ['content', 'status']]);
    const refusal = components.responses.NotFound.content['application/json'].schema;
    assert.deepEqual(refusal, { anyOf: [ref('Error'), ref('ErrorEnvelope')] });
  });

  it('merge paths that differ only in parameter names', () => {
    const named = (id: string, method: 'GET' | 'POST', path: string): Loose => ({
      ...exampleOperations.find((one) => one.id === 'getShip'),
      id,
      method,
      path,
    });
    const operations = [
      named('getLoad', 'GET', '/groups/{groupId}/loads/{loadId}'),
      named('load', 'POST', '/groups/{groupId}/loads/{shipName}'),
    ];
    const edition = editionsOf(operations).at(-2);
    assert.ok(edition);
    const { paths }: Loose = openApiDocument(edition, { ...exampleInput, operations });
    const [[path, item]] = Object.entries<Loose>(paths) as [[string, Loose]];
    assert.equal(path, '/api/service/v2/groups/{groupId}/loads/{loadIdOrShipName}');
    for (const method of ['get', 'post']) {
      const inPath = item[method].parameters.filter((one: Loose) => one.in === 'path');
      assert.deepEqual(
        inPath.map((one: Loose) => one.name),
        ['groupId', 'loadIdOrShipName'],
      );
    }
  });

  it('name every body, and require it unless it may be empty', () => {
    const edition = editionsOf(exampleOperations).at(-2);
    assert.ok(edition);
    const createShip = exampleOperations.find((one) => one.id === 'createShip');
    const bodyOf = (body: TSchema) => {
      const operations: Loose = [{ ...createShip, body }];
      const { paths, components }: Loose = openApiDocument(edition, { ...exampleInput, operations });
      const { requestBody } = paths[ships].post;
      assert.deepEqual(requestBody.content['application/json'].schema, {
        $ref: '#/components/schemas/CreateShipRequest',
      });
      return [requestBody.required, components.schemas.CreateShipRequest];
    };
    const name = Type.String();
    assert.equal(bodyOf(Type.Object({ name: Type.Optional(name) }))[0], false);
    assert.equal(bodyOf(Type.Array(name))[0], true);
    assert.equal(bodyOf(Type.Object({ name }))[0], true);
    const [required, schema] = bodyOf(
      ruled(Type.Object({ name: Type.Optional(name) }), { required: ['name'] }),
    );
    assert.deepEqual([required, schema.required], [true, ['name']]);
  });

  it('describe endpoints of the console in every edition, and require their sessions', async () => {
    const path = '/console/crew/{sailorId}';
    const hire = endpoint({
      id: 'hireSailor',
      summary: 'Hire a sailor',
      tag: 'Crew',
      method: 'POST',
      path,
      access: 'session',
      body: Type.Object({ rank: Type.String({ maxLength: 8 }) }),
      reply: Type.Object({ wage: Type.Integer() }),
      status: 200,
    });
    for (const edition of editionsOf(exampleOperations)) {
      const document: Loose = openApiDocument(edition, { ...exampleInput, endpoints: [hire] });
      const { valid, errors } = await new Validator().validate(JSON.parse(stableText(document)));
      assert.ok(valid, `${edition.name}: ${JSON.stringify(errors)}`);
      const { post } = document.paths[path];
      assert.deepEqual([post.operationId, post.security], ['hireSailor', [{ session: [] }]]);
      assert.equal(document.components.securitySchemes.session.in, 'cookie');
      const { HireSailorRequest, HireSailorReply } = document.components.schemas;
      assert.equal(HireSailorRequest.properties.rank.maxLength, 8);
      assert.deepEqual(HireSailorReply.required, ['wage']);
    }
  });

  it('list the error codes of a status', () => {
    const { components } = documentOf('2025-03-12');
    assert.deepEqual(components.responses.NotFound['x-error-codes'], ['SHIP_NOT_FOUND']);
  });

  it('have the root at the base path', () => {
    assert.equal(documentOf('2025-03-12').paths['/api/service/v2'].get.operationId, 'getSystemStatus');
  });
});
