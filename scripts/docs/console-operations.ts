import openApiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { PLAIN_MEDIA_TYPE } from '../../packages/service/src/api/addresses.ts';
import { openApiDocument } from '../../packages/service/src/api/documents/index.ts';
import { NEWEST_VERSION } from '../../packages/service/src/api/versions.ts';
import type { Family } from '../../packages/service/src/resources/family.ts';

const HEADER = `/** The types of all operations. \`npm run docs\` generates this file from the newest OpenAPI document. */
`;

interface Json {
  readonly [name: string]: unknown;
}

interface Operation {
  readonly parameters: readonly Json[];
  readonly requestBody?: { readonly required: boolean; readonly content: Json };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Json }>>;
}

/**
 * Returns the types of the parameters, bodies and successful responses of all operations, in the newest version. Errors
 * are not included, because all operations have the same type of error.
 */
export async function consoleOperations(families: readonly Family[]): Promise<string> {
  const document = openApiDocument(
    { name: NEWEST_VERSION, date: NEWEST_VERSION, legacy: false },
    {
      operations: families.flatMap((family) => family.operations),
      endpoints: families.flatMap((family) => family.endpoints ?? []),
      parameters: Object.assign({}, ...families.map((one) => one.parameters ?? {})),
      faults: [],
      publicUrl: 'https://127.0.0.1:8443',
      serviceVersion: '',
    },
  );
  const types = await openApiTypes(reduced(document) as unknown as OpenAPI3, { immutable: true });
  return HEADER + compact(astToString(types, { formatOptions: { removeComments: true } }));
}

/** Omits members that no value can have, and writes each path and each schema on one line: 1,000 lines instead of 18,000. */
function compact(text: string): string {
  const typed = text.replace(IMPOSSIBLE, '').replace(HEADERS, '');
  const [paths = '', rest = ''] = typed.split('export interface components');
  return `${paths.replace(/\n {8,}| *\n(?= {4}\})/g, ' ')}export interface components${rest.replace(/\n {12,}| *\n(?= {8}\})/g, ' ')}`;
}

const IMPOSSIBLE = /\n *readonly \w+\?: never;/g;
const HEADERS = /\n *headers: \{\s*readonly \[name: string\]: unknown;\s*\};/g;

/** Returns a document with only the parts that the types need. */
function reduced({ openapi, info, paths, components }: Json): Json {
  const { parameters, schemas } = components as { parameters: Json; schemas: Json };
  const kept = mapped(paths as Json, (item) => mapped(item as Json, (one) => operation(one as Operation)));
  const used = new Map<string, unknown>();
  const collect = (value: unknown) => {
    for (const name of referencesIn(value)) {
      if (used.has(name)) continue;
      const schema = withPresent(name, simplified(schemas[name]) as Json);
      used.set(name, schema);
      collect(schema);
    }
  };
  collect(kept);
  collect({ $ref: `${SCHEMAS}Error` });
  return { openapi, info, paths: kept, components: { parameters, schemas: Object.fromEntries(used) } };
}

/**
 * Fields that are in every response, although the document does not require them: a read-only field is optional in each
 * schema, because requests may omit it.
 */
const PRESENT: Readonly<Record<string, readonly string[]>> = {
  Alert: ['alertConfigId', 'created', 'eventTypeName', 'id', 'status'],
  Cluster: [
    ...[
      'clusterType',
      'connectionStrings',
      'createDate',
      'id',
      'name',
      'paused',
      'providerSettings',
      'stateName',
    ],
  ],
  AlertConfiguration: ['id'],
  DeclaredFault: ['id'],
  ExportBucket: ['_id', 'bucketName'],
  ExportJob: ['createdAt', 'id', 'state'],
  ListedLiveMigration: ['_id', 'status'],
  LiveMigration: ['_id'],
  Organization: ['id'],
  OutageSimulation: ['state'],
  Process: ['hostname', 'id', 'port', 'typeName'],
  Project: ['id'],
  ReplicaSetSnapshot: ['id', 'status'],
  RestoreJob: ['id'],
  ShardedClusterSnapshot: ['id', 'status'],
  Snapshot: ['id', 'status'],
  Team: ['id'],
  'Team_2025-03-12': ['id'],
};

function withPresent(name: string, schema: Json): Json {
  const present = PRESENT[name];
  if (present === undefined) return schema;
  const { required = [], properties } = schema as { required?: readonly string[]; properties: Json };
  const unknown = present.filter((field) => !(field in properties));
  if (unknown.length > 0) throw new Error(`The schema ${name} has no field ${unknown.join(', ')}`);
  return { ...schema, required: [...new Set([...required, ...present])] };
}

function operation({ parameters, requestBody, responses }: Operation): Json {
  const body = requestBody && {
    required: requestBody.required,
    content: simplified({ [PLAIN_MEDIA_TYPE]: requestBody.content[PLAIN_MEDIA_TYPE] }),
  };
  const successful = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return {
    parameters: simplified(parameters.filter(({ $ref }) => !UNUSED_PARAMETERS.has(String($ref)))),
    ...(body && { requestBody: body }),
    responses: Object.fromEntries(
      successful.map(([status, { content }]) => [
        status,
        { description: '', ...(content && { content: simplified(content) }) },
      ]),
    ),
  };
}

/** Parameters of all operations, which the console never sends. */
const UNUSED_PARAMETERS = new Set(['envelope', 'pretty'].map((name) => `#/components/parameters/${name}`));

const SCHEMAS = '#/components/schemas/';

/** Returns a schema without texts for people, and without the alternative that only \`envelope=true\` selects. */
function simplified(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(simplified);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { anyOf, ...rest } = schema as Json;
  const alternatives = Array.isArray(anyOf) ? anyOf.filter((one) => !isEnvelope(one)) : anyOf;
  if (Array.isArray(alternatives) && alternatives.length === 1)
    return simplified({ ...rest, ...alternatives[0] });
  const typed = Object.entries({ ...rest, ...(anyOf === undefined ? {} : { anyOf: alternatives }) }).filter(
    ([name, value]) => name !== 'description' || typeof value !== 'string',
  );
  return Object.fromEntries(typed.map(([name, value]) => [name, simplified(value)]));
}

const isEnvelope = ({ $ref }: Json): boolean => String($ref).endsWith('Envelope');

/** Yields the names of the schemas to which a part of a document refers. */
function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    if (name === '$ref' && typeof part === 'string' && part.startsWith(SCHEMAS))
      yield part.slice(SCHEMAS.length);
    else yield* referencesIn(part);
  }
}

const mapped = (parts: Json, change: (part: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]));
