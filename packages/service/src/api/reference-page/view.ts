import { capitalized, isObject, type JsonObject } from '../documents/json.ts';
import type { Steps } from '../documents/steps.ts';

/** This file selects the parts of an OpenAPI document that the page shows, and resolves their references. */

export interface Schema extends JsonObject {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly description?: string;
}

export interface Parameter extends JsonObject {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Body {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Response extends JsonObject {
  readonly description: string;
  readonly content?: Body['content'];
  readonly 'x-error-codes'?: readonly string[];
}

export interface OperationView extends JsonObject {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  /** Parameters other than the shared ones. */
  readonly parameters: readonly Parameter[];
  /** Names of the shared parameters that the operation uses. */
  readonly sharedParameters: readonly string[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Response>>;
  readonly security?: readonly JsonObject[];
  readonly 'x-versions'?: readonly string[];
  readonly 'x-rate-limited'?: boolean;
  readonly 'x-extension'?: boolean;
}

export interface DocumentView {
  readonly title: string;
  readonly version: string;
  readonly summary: string;
  readonly description: string;
  readonly server: string;
  readonly tags: readonly string[];
  readonly operations: readonly OperationView[];
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly sharedParameters: readonly Parameter[];
}

interface RawDocument {
  readonly info: { title: string; version: string; summary: string; description: string };
  readonly servers: readonly { url: string }[];
  readonly tags: readonly { name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** Returns what the page shows of a document. `document` is the result of `openApiDocument`. */
export function* viewOf(document: JsonObject): Steps<DocumentView> {
  const { info, servers, tags, paths, components } = document as unknown as RawDocument;
  const resolve = resolver(document);
  const operations: OperationView[] = [];
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item)) {
      operations.push(operationView(method, path, operation, resolve));
      yield;
    }
  return {
    ...info,
    server: servers[0]?.url ?? '',
    tags: tags.map(({ name }) => name),
    operations,
    schemas: Object.fromEntries(
      Object.entries(components.schemas).filter(([name]) => !resolve.isShownInPlace(name)),
    ),
    sharedParameters: Object.values(components.parameters),
  };
}

function operationView(
  method: string,
  path: string,
  operation: JsonObject,
  resolve: Resolver,
): OperationView {
  const parameters = operation.parameters as readonly (Parameter & { readonly $ref?: string })[];
  return {
    ...(resolve.all(operation) as OperationView),
    method: method.toUpperCase(),
    path,
    parameters: parameters.filter(({ $ref }) => $ref === undefined),
    sharedParameters: parameters.flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? []),
  };
}

interface Resolver {
  /** Whether a schema is shown inline: envelopes, and schemas of a single operation. */
  isShownInPlace(name: string): boolean;
  /** Resolves references. References to named schemas stay, because the page shows them as links. */
  all(value: unknown): unknown;
}

function resolver(document: JsonObject): Resolver {
  const { paths } = document as unknown as RawDocument;
  const ids = Object.values(paths).flatMap((item) => Object.values(item).map((one) => one.operationId));
  const own = new Set(
    ids.flatMap((id) => ['Request', 'Reply', 'Page'].map((part) => capitalized(String(id)) + part)),
  );
  const isShownInPlace = (name: string) => own.has(name) || isEnvelope(name);
  const all = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(all);
    if (!isObject(value)) return value;
    const { $ref, anyOf } = value;
    const name = schemaName(String($ref));
    if (name !== undefined && !isShownInPlace(name)) return value;
    if (typeof $ref === 'string') return all(lookUp($ref, document));
    // Show only the form without the envelope. The description of the parameter `envelope` explains the other form.
    const [plain, wrapped] = Array.isArray(anyOf) ? anyOf : [];
    if (isEnvelope(schemaName(String(wrapped?.$ref)) ?? '')) return all(plain);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, all(member)]));
  };
  return { isShownInPlace, all };
}

function isEnvelope(name: string): boolean {
  return name.endsWith('Envelope');
}

function lookUp(reference: string, document: JsonObject): unknown {
  const steps = reference.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), document);
}

/** `#/components/schemas/Cluster` → `Cluster`. */
export function schemaName(reference: string): string | undefined {
  const prefix = '#/components/schemas/';
  return reference.startsWith(prefix) ? reference.slice(prefix.length) : undefined;
}
