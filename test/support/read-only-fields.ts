import { type DescribedOperation, describedIn, type Schema } from './generated/document.ts';
import type { DocumentSet } from './openapi.ts';

/** The read-only fields of request bodies, from the OpenAPI documents. */

/** An operation in one of its versions. */
export interface Versioned {
  readonly operation: DescribedOperation;
  /** Its `Accept` header; undefined on the legacy path. */
  readonly accept: string | undefined;
}

/** Every operation with read-only fields in its body, in each of its versions. */
export function withReadOnlyFields(documents: DocumentSet): Versioned[] {
  const found = new Map<string, Versioned>();
  for (const document of documents.all) {
    for (const operation of describedIn(document)) {
      const { id, body, resolve } = operation;
      if (body === undefined || !marksReadOnly(body, resolve)) continue;
      const accept = document.name === 'v1.0' ? undefined : versionOf(document.content, operation);
      found.set(`${id} ${accept}`, { operation, accept });
    }
  }
  return [...found.values()];
}

interface Paths {
  readonly paths: Record<string, Record<string, { readonly requestBody: { readonly content: object } }>>;
}

/** The versioned media type of a request. */
function versionOf(content: object, { template, method }: DescribedOperation): string {
  const { requestBody } = (content as Paths).paths[template]?.[method.toLowerCase()] ?? {};
  return Object.keys(requestBody?.content ?? {}).at(-1) ?? 'application/json';
}

/** Whether a schema marks any field other than `links` as read-only. */
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
  /** As errors name it: `replicationSpecs.0.zoneId`. */
  readonly path: string;
  readonly ignored: boolean;
}

/** The read-only fields that can be added to a body, and the objects in it that can hold them. */
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

/** Whether a body has the fixed values of an alternative. */
function isMeant({ type, properties = {}, required = [] }: Schema, body: object): boolean {
  if (type !== undefined && ![type].flat().includes('object')) return false;
  const given = body as Record<string, unknown>;
  return Object.entries(properties).every(([name, field]) => {
    const values = 'const' in field ? [field.const] : field.enum;
    const isAbsent = given[name] === undefined && !required.includes(name);
    return values === undefined || isAbsent || values.includes(given[name]);
  });
}

/** A copy of a body with one more field. */
export function withField(body: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(body);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce((part, name) => (part as Record<string, unknown>)[name], copy);
  (holder as Record<string, unknown>)[last] = value;
  return copy;
}
