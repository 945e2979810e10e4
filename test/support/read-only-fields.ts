import { type DescribedOperation, describedIn, type Schema } from './generated/document.ts';
import type { DocumentSet, OpenApiDocument } from './openapi.ts';

/** The read-only fields of request bodies, from the OpenAPI documents. */

/** An operation in one of its versions. */
export interface Versioned {
  readonly operation: DescribedOperation;
  /** The `Accept` header for this version; undefined on the legacy path. */
  readonly accept: string | undefined;
}

/** Returns all operations whose bodies have read-only fields, in each of their versions. */
export function withReadOnlyFields(documents: DocumentSet): Versioned[] {
  return versionedIn(documents, (_, { body, resolve }) => body !== undefined && marksReadOnly(body, resolve));
}

/** Returns all operations that fulfil a condition, in each of their versions. */
export function versionedIn(
  documents: DocumentSet,
  isChosen: (document: OpenApiDocument, operation: DescribedOperation) => boolean,
): Versioned[] {
  const found = new Map<string, Versioned>();
  for (const document of documents.all) {
    for (const operation of describedIn(document)) {
      if (!isChosen(document, operation)) continue;
      const accept = document.name === 'v1.0' ? undefined : versionOf(document.content, operation);
      found.set(`${operation.id} ${accept}`, { operation, accept });
    }
  }
  return [...found.values()];
}

interface Paths {
  readonly paths: Record<string, Record<string, { readonly requestBody: { readonly content: object } }>>;
}

/** Returns the versioned media type of a request. */
function versionOf(content: object, { template, method }: DescribedOperation): string {
  const { requestBody } = (content as Paths).paths[template]?.[method.toLowerCase()] ?? {};
  return Object.keys(requestBody?.content ?? {}).at(-1) ?? 'application/json';
}

/** Whether a schema has a read-only field other than `links`. */
function marksReadOnly(reference: Schema, resolve: DescribedOperation['resolve']): boolean {
  const schema = resolve(reference);
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  const parts = [...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])];
  return (
    parts.some((part) => marksReadOnly(part, resolve)) ||
    Object.entries(properties).some(
      ([name, field]) => name !== 'links' && (field.readOnly === true || marksReadOnly(field, resolve)),
    )
  );
}

export interface ReadOnlyField {
  /** The path of the field in the form that errors use: `replicationSpecs.0.zoneId`. */
  readonly path: string;
  readonly ignored: boolean;
}

/** Returns the read-only fields that can be added to a body, and the objects in the body that can contain them. */
export function fieldsOf(
  reference: Schema,
  resolve: DescribedOperation['resolve'],
  body: unknown,
  at = '',
): ReadOnlyField[] {
  const schema = resolve(reference);
  if (Array.isArray(body)) {
    return body.flatMap((item, index) => fieldsOf(schema.items ?? {}, resolve, item, `${at}${index}.`));
  }
  if (typeof body !== 'object' || body === null) return [];
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter((one) =>
    isMeant(resolve(one), body),
  );
  const parts = [...branches.slice(0, 1), ...(schema.allOf ?? [])];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (name === 'links') return [];
    if (field.readOnly === true) return [{ path: at + name, ignored: field['x-ignored'] === true }];
    return fieldsOf(field, resolve, (body as Record<string, unknown>)[name], `${at}${name}.`);
  });
  return [...own, ...parts.flatMap((part) => fieldsOf(part, resolve, body, at))];
}

/** Whether a body has the fixed values that one alternative of a schema requires. */
function isMeant({ type, properties = {}, required = [] }: Schema, body: object): boolean {
  if (type !== undefined && ![type].flat().includes('object')) return false;
  const given = body as Record<string, unknown>;
  return Object.entries(properties).every(([name, field]) => {
    const values = 'const' in field ? [field.const] : field.enum;
    const isAbsent = given[name] === undefined && !required.includes(name);
    return values === undefined || isAbsent || values.includes(given[name]);
  });
}

/** Copies a body, and adds a field. */
export function withField(body: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(body);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce((part, name) => (part as Record<string, unknown>)[name], copy);
  (holder as Record<string, unknown>)[last] = value;
  return copy;
}
