import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contractOperations } from '@portolan/test-support/contract-operations';
import { Validator } from '@seriousme/openapi-schema-validator';
import { accessFaults } from '../access/index.ts';
import { DocumentLibrary } from '../api/documents/index.ts';
import { generalFaults } from '../api/faults.ts';
import type { PathParameter } from '../api/operation.ts';
import { asJsonSchema, type JsonSchema } from '../api/schema/json-schema.ts';
import { shapeIn, versionsOf } from '../api/shapes.ts';
import { loadFamilies } from './load.ts';

const families = await loadFamilies();
const operations = families.flatMap((family) => family.operations);
const parameters: Record<string, PathParameter> = Object.assign(
  {},
  ...families.map((one) => one.parameters ?? {}),
);
const library = new DocumentLibrary({
  operations,
  parameters,
  faults: [generalFaults, accessFaults, ...families.flatMap((family) => family.faults ?? [])],
  publicUrl: 'https://127.0.0.1:8443',
  serviceVersion: '0.1.0',
});

/**
 * Versions that this service serves in addition to the contract. `testFailover` also has the version of the legacy
 * path.
 */
const earlier: Readonly<Record<string, readonly string[]>> = { testFailover: ['2023-01-01'] };

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

/**
 * Names of body fields that need no maximum in the schema. A rule compares their values with permitted or existing
 * names, or has a maximum length or size for them.
 */
const checkedByRules = new Set([
  ...['accessListIps', 'awsSecurityGroup', 'cidrBlock', 'comment', 'ipAddress', 'platformCidrBlock'],
  'privateEndpointIPAddress',
  ...[
    'analyzer',
    'bucketName',
    'collectionName',
    'database',
    'name',
    'roleName',
    'searchAnalyzer',
    'serviceUrl',
  ],
  ...[
    'clusterName',
    'dbMajorVersion',
    'defaultWriteConcern',
    'diskTypeName',
    'eventTypeName',
    'hostnameAndPort',
  ],
  ...[
    'instanceSize',
    'instanceSizeName',
    'maxInstanceSize',
    'metricName',
    'minInstanceSize',
    'readPreference',
  ],
  ...['regionName', 'retentionUnit', 'targetClusterName', 'units'],
  ...['destinationOrgPrivateApiKey', 'destinationOrgPublicApiKey'],
]);

/** Yields the paths of text fields without a maximum length in a schema. */
function* unlimitedTexts(schema: JsonSchema | undefined, path: readonly string[] = []): Generator<string> {
  if (schema === undefined || schema.readOnly === true) return;
  const { type, format, pattern, maxLength } = schema as JsonSchema & {
    pattern?: string;
    maxLength?: number;
  };
  const isText = [type].flat().includes('string') && schema.enum === undefined && schema.const === undefined;
  // A pattern limits the length unless it repeats a part without end.
  const isLimited =
    maxLength !== undefined ||
    format !== undefined ||
    (pattern && !/[*+]|,\}/.test(pattern.replace(/\\.|\[[^\]]*\]/g, '')));
  if (isText && !isLimited && !checkedByRules.has(path.at(-1) ?? '')) yield path.join('.');
  for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    yield* unlimitedTexts(branch, path);
  yield* unlimitedTexts(schema.items, path);
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    yield* unlimitedTexts(field, [...path, name]);
  for (const others of [schema.additionalProperties, ...Object.values(schema.patternProperties ?? {})])
    if (typeof others === 'object') yield* unlimitedTexts(others, [...path, '*']);
}

describe('operations of all families', () => {
  it('limit the length of the texts that they store', () => {
    const found = operations.flatMap((operation) =>
      versionsOf(operation).flatMap((version) => {
        const body = shapeIn(operation, version)?.body;
        return body === undefined
          ? []
          : [...unlimitedTexts(asJsonSchema(body))].map((path) => `${operation.id}: ${path}`);
      }),
    );
    assert.deepEqual([...new Set(found)], []);
  });

  it("have the paths, tags and versions of the contract and the vendor's service, or are extensions", () => {
    const declared = operations
      .filter(({ extension, surface }) => extension !== true && surface !== 'operator')
      .map((operation) => {
        const { id, method, path, tag } = operation;
        return { id, method, path, tag, versions: versionsOf(operation) };
      });
    const listed = contractOperations().map(({ source: _, ...operation }) => {
      const versions = [...(earlier[operation.id] ?? []), ...operation.versions];
      return { ...operation, versions };
    });
    assert.deepEqual(declared.sort(byId), listed.sort(byId));
  });

  it('have unique ids', () => {
    const ids = operations.map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)]);
  });

  it('use only path parameters that a family describes', () => {
    const names = operations.flatMap(({ path }) =>
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    );
    assert.deepEqual(
      names.filter((name) => parameters[name] === undefined),
      [],
    );
  });

  it('limit the size of each list and map in a body', () => {
    const unbounded = operations.flatMap((operation) =>
      versionsOf(operation).flatMap((version) => {
        const { body } = shapeIn(operation, version) ?? {};
        return body === undefined ? [] : unboundedIn(asJsonSchema(body), `${operation.id} ${version}`);
      }),
    );
    assert.deepEqual(unbounded, []);
  });

  it('produce valid OpenAPI documents, one per version date and one for the legacy path', async () => {
    const names = library.editions.map(({ name }) => name);
    assert.deepEqual([names[0], ...names.slice(-2)], ['2023-01-01', '2025-03-12', 'v1.0']);
    for (const name of names) {
      const text = (await library.get(name))?.body ?? '';
      const { valid, errors } = await new Validator().validate(JSON.parse(text));
      assert.ok(valid, `${name}: ${JSON.stringify(errors)}`);
    }
  });
});

/** Returns the paths of the lists and maps in a schema that have no maximum size. Skips read-only fields. */
function unboundedIn(schema: JsonSchema, place: string): string[] {
  if (schema.readOnly === true) return [];
  const { items, maxItems, maxProperties, properties = {}, patternProperties, additionalProperties } = schema;
  const isOpen = patternProperties !== undefined || (additionalProperties ?? false) !== false;
  const others = typeof additionalProperties === 'object' ? { additionalProperties } : {};
  const fields = Object.entries({ ...properties, ...patternProperties, ...others });
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [
    ...(schema.type === 'array' && maxItems === undefined ? [place] : []),
    ...(isOpen && maxProperties === undefined ? [place] : []),
    ...(items ? unboundedIn(items, `${place}[]`) : []),
    ...fields.flatMap(([name, field]) => unboundedIn(field, `${place}.${name}`)),
    ...branches.flatMap((branch) => unboundedIn(branch, place)),
  ];
}
