import type { AnyFaultTable } from '@portolan/foundation/faults';
import { type Dialect, neutralDialect } from '../dialect/dialect.ts';
import { operationsIn } from '../dialect/operations-in.ts';
import type { Endpoint } from '../endpoint.ts';
import type { AnyOperation } from '../operation.ts';
import { type Edition, type Placed, placedIn } from './edition.ts';
import { errorSchema } from './error-schema.ts';
import { faultRulesOf } from './fault-rules.ts';
import type { JsonObject } from './json.ts';
import { operationObject } from './operation-object.ts';
import { type PathParameters, sharedParameters } from './parameters.ts';
import { sharedHeaders, sharedResponses } from './responses.ts';
import { schemaBookOf } from './schemas.ts';
import { security, securitySchemes } from './security.ts';
import { completed, type Steps } from './steps.ts';

export interface DocumentInput {
  /** All served operations. */
  readonly operations: readonly AnyOperation[];
  /** Endpoints of the console. Only the documents of the neutral dialect contain them. */
  readonly endpoints?: readonly Endpoint[];
  /** The dialect of the documents; by default the neutral one. */
  readonly dialect?: Dialect;
  /** Path parameters by name. */
  readonly parameters: PathParameters;
  /** General error codes, and those of the families. */
  readonly faults: readonly AnyFaultTable[];
  /** Ids and tags of operations that are rate-limited although their declarations set no rate limit. */
  readonly rateLimited?: readonly string[];
  /** The URL of the service: `https://127.0.0.1:8443`. Read when a document is generated. */
  readonly publicUrl: string;
  readonly serviceVersion: string;
}

/** Returns the OpenAPI 3.1 document of one edition. */
export function openApiDocument(edition: Edition, input: DocumentInput): JsonObject {
  return completed(documentSteps(edition, input));
}

/** Makes the document of one edition in steps, since it takes several hundred milliseconds. */
export function* documentSteps(edition: Edition, input: DocumentInput): Steps<JsonObject> {
  const { dialect = neutralDialect, rateLimited } = input;
  const placed = placedIn(edition, operationsIn(dialect.changes, input.operations), {
    rateLimited,
    dialect,
    endpoints: dialect === neutralDialect ? input.endpoints : [],
  });
  const book = yield* schemaBookOf(placed);
  const responses = sharedResponses(book, faultRulesOf(input.faults, dialect.changes), errorSchema);
  const context = { book, parameters: input.parameters, legacy: edition.legacy };
  const paths = yield* pathsOf(placed, (one) => operationObject(one, context));
  return {
    openapi: '3.1.0',
    info: info(edition, dialect, input.serviceVersion),
    servers: [{ url: input.publicUrl }],
    security,
    tags: [...new Set(placed.map(({ operation }) => operation.tag))].sort().map((name) => ({ name })),
    paths,
    components: {
      headers: sharedHeaders,
      parameters: sharedParameters,
      responses,
      // Generated last, because the parts above determine which schemas the document refers to.
      schemas: book.components,
      securitySchemes: securitySchemes(input.publicUrl),
    },
  };
}

function info(edition: Edition, { title }: Dialect, serviceVersion: string): JsonObject {
  const dated =
    `The API as of ${edition.date}: each operation has its newest version up to this date. The media type of a response
names the version.`.replace('\n', ' ');
  const legacy =
    'The legacy form of the API: each operation has its first version, and responses are plain JSON.';
  return {
    title,
    version: edition.name,
    summary: `Portolan ${serviceVersion}`,
    description: `${edition.legacy ? legacy : dated} All operations with GET also support HEAD.`,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  };
}

function* pathsOf(placed: readonly Placed[], write: (one: Placed) => JsonObject): Steps<JsonObject> {
  const items: [string, JsonObject][] = [];
  for (const [path, ones] of Map.groupBy(placed, (one) => one.path)) {
    const item: Record<string, JsonObject> = {};
    for (const one of ones) {
      item[one.operation.method.toLowerCase()] = write(one);
      yield;
    }
    items.push([path, item]);
  }
  return Object.fromEntries(items);
}
