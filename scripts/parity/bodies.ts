import type { OpenApi, Schema } from './operations.ts';

/**
 * Recordings have no request bodies. To repeat a request, its body is built from the fields of the recorded response
 * that the request accepts. The fields below are added, since responses never contain them.
 */

const hidden: Readonly<Record<string, unknown>> = {
  password: 'a long password',
  usernames: [],
  secretExpiresAfterHours: 8,
  deletionPeriodSeconds: 60,
  mobileNumber: '2125550123',
  country: 'US',
  serviceKey: '0123456789abcdef0123456789abcdef',
  apiKey: '0123456789abcdef0123456789abcdef',
  url: 'https://example.org/hook',
};

/** Requests whose fields have other names than in responses. */
const particular: Readonly<
  Record<string, (answer: Record<string, unknown>, path: readonly string[]) => object>
> = {
  createDatabaseUser: ({ x509Type, awsIAMType, oidcAuthType, ldapAuthType }) =>
    [x509Type, awsIAMType, oidcAuthType, ldapAuthType].every((type) => type === undefined || type === 'NONE')
      ? { password: 'a long password' }
      : {},
  createIntegration: integrationIn,
  updateIntegration: integrationIn,
  createPlatformSearchIndex: searchIndexIn,
  createPlatformSearchIndexDeprecated: searchIndexIn,
  updatePlatformSearchIndex: searchIndexIn,
  createProjectApiKey: ({ roles }) => ({ roles: projectRolesIn(roles) }),
  updateApiKeyRoles: ({ roles }) => ({ roles: projectRolesIn(roles) }),
  createRollingIndex: () => ({ collection: 'ports', db: 'harbour', keys: [{ name: '1' }] }),
  // The recorded organization had these roles before. Without an identity provider, a request cannot change them.
  updateConnectedOrgConfig: () => ({ postAuthRoleGrants: undefined }),
  updateMaintenanceWindow: () => ({ dayOfWeek: 2, hourOfDay: 1 }),
  // A request can contain only some of the states.
  updateOnlineArchive: () => ({ state: undefined }),
  updateTeamRoles: ({ results }) => ({
    roleNames: Array.isArray(results) && isObject(results[0]) ? results[0].roleNames : [],
  }),
  verifyLdap: ({ request }) => ({ ...(isObject(request) && request), bindPassword: 'a long password' }),
  createPrivateEndpointService: ({ cloudProvider, regionName }) => ({
    providerName: cloudProvider,
    region: regionName,
  }),
};

/**
 * Returns the definition of a search index from a response. Versions from 2024-05-30 on have it in a field of its own.
 */
function searchIndexIn({ mappings, analyzers, latestDefinition }: Record<string, unknown>): object {
  if (isObject(latestDefinition)) return { definition: latestDefinition };
  return { mappings, ...(analyzers !== undefined && { analyzers }) };
}

/** Finds the integration whose type ends the path. The response contains all integrations of the project. */
function integrationIn({ results }: Record<string, unknown>, path: readonly string[]): object {
  const type = path.at(-1);
  const all = Array.isArray(results) ? results.filter(isObject) : [];
  const { id: _, links: __, ...fields } = all.find((one) => one.type === type) ?? {};
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, unmasked(name, value)]));
}

/** Replaces a secret that is masked in the response by a valid value. */
const unmasked = (name: string, value: unknown) =>
  typeof value === 'string' && value.includes('****') ? (hidden[name] ?? 'a long password') : value;

/**
 * Builds the body of a request from a recorded response. `path` contains the values in the path of the request.
 * `isKnown` tells whether an id exists in this service, since requests cannot choose ids. Names of fields with unknown
 * ids are added to `dropped`.
 */
export function bodyFor(
  document: OpenApi,
  {
    id,
    body: schema,
    path,
  }: { readonly id: string; readonly body: Schema; readonly path: readonly string[] },
  answer: Record<string, unknown>,
  isKnown: (id: string) => boolean,
  dropped: Set<string>,
): unknown {
  const list = listIn(answer, schema, document);
  // A request that pauses a cluster must not contain other fields.
  if (id === 'updateCluster' && answer.paused === true) return { paused: true };
  const fields = fitting(document, schema, list, isKnown, dropped);
  return isObject(fields) ? { ...fields, ...particular[id]?.(answer, path) } : fields;
}

/** Selects the roles on the project. The keys of a project also have a role in its organization. */
function projectRolesIn(roles: unknown): unknown[] {
  const all = Array.isArray(roles) ? roles.filter(isObject) : [];
  return all.filter(({ groupId }) => groupId !== undefined).map(({ roleName }) => roleName);
}

const ID = /^[0-9a-f]{24}$/;

/** Returns the list in a response. Some operations accept a list and return a page. */
function listIn(answer: unknown, schema: Schema, document: OpenApi): unknown {
  const isList = resolved(document, schema).type === 'array';
  return isList && isObject(answer) ? (answer.results ?? [answer]) : answer;
}

function fitting(
  document: OpenApi,
  given: Schema,
  value: unknown,
  isKnown: (id: string) => boolean,
  dropped: Set<string>,
): unknown {
  const schema = resolved(document, given);
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item) => fitting(document, items, item, isKnown, dropped)) : value;
  }
  // The roles of keys are strings in requests, but documents in responses.
  if (schema.type === 'string' && isObject(value)) return value.roleName;
  if (!isObject(value) || schema.properties === undefined || schema.additionalProperties) return value;
  const fields: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    if (resolved(document, property).readOnly || property.readOnly || name === 'links') continue;
    const sent = value[name] ?? (schema.required?.includes(name) ? hidden[name] : undefined);
    if (typeof sent === 'string' && ID.test(sent) && !isKnown(sent)) {
      dropped.add(name);
    } else if (sent !== undefined && sent !== null && !isComputed(name, value))
      fields[name] = fitting(document, property, isPast(name, sent) ? tomorrow() : sent, isKnown, dropped);
  }
  return fields;
}

/** Whether the service computes a field: the rate of a standard volume follows from its size. */
const isComputed = (name: string, { ebsVolumeType }: Record<string, unknown>) =>
  name === 'diskIOPS' && ebsVolumeType !== 'PROVISIONED';

const isPast = (name: string, sent: unknown) =>
  /^(deleteAfterDate|expiresAt|endDate)$/.test(name) && Date.parse(String(sent)) < Date.now();

const DAY_MS = 86_400_000;
const tomorrow = () => `${new Date(Date.now() + DAY_MS).toISOString().slice(0, 19)}Z`;

/** Returns the schema without references, with its alternatives merged. */
function resolved(document: OpenApi, schema: Schema): Schema {
  const { $ref, anyOf, oneOf, allOf, ...own } = schema;
  const others = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])];
  if ($ref !== undefined) others.push(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  let merged: Schema = own;
  for (const other of others) {
    const one = resolved(document, other);
    const properties = one.properties && { ...one.properties, ...merged.properties };
    merged = { ...one, ...merged, ...(properties && { properties }) };
  }
  return merged;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
