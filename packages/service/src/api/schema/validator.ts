import type { Ajv, ErrorObject, SchemaValidateFunction, ValidateFunction } from 'ajv';
import { utcDate } from '../dates.ts';
import { asJsonSchema, type JsonSchema } from './json-schema.ts';
import { stableText } from './stable-text.ts';

/** Returns the errors of a value; undefined if it is valid. */
export type Validator = (value: unknown) => Promise<readonly ErrorObject[] | undefined>;

const INT32_MAX = 2 ** 31 - 1;

let ajv: Promise<Ajv> | undefined;

/**
 * Validates values without coercing, removing or adding anything. The first value loads the library and compiles the
 * schema, since compiling all schemas at startup would take longer than the rest of the startup.
 */
export function validator(schema: object): Validator {
  let compiled: Promise<ValidateFunction> | undefined;
  return async (value) => {
    ajv ??= load();
    compiled ??= ajv.then((instance) => instance.compile(forRequests(asJsonSchema(schema))));
    const validate = await compiled;
    return validate(value) ? undefined : (validate.errors ?? []);
  };
}

async function load(): Promise<Ajv> {
  const [{ Ajv: Constructor }, { default: formats }] = await Promise.all([
    import('ajv'),
    import('ajv-formats'),
  ]);
  // Only the first error is reported; collecting all errors of a large body could take much memory.
  const instance = new Constructor({
    allErrors: false,
    verbose: true,
    strict: false,
    // Reject 1e400: it is valid JSON, but JavaScript reads it as Infinity, and responses would contain null.
    strictNumbers: true,
    logger: false,
  });
  formats.default(instance, ['email', 'uri', 'uuid', 'ipv4', 'ipv6', 'hostname']);
  instance.addFormat('date-time', (text: string) => utcDate(text) !== undefined);
  instance.addFormat('int32', { type: 'number', validate: (value) => Math.abs(value + 0.5) < INT32_MAX + 1 });
  instance.addFormat('int64', { type: 'number', validate: (value) => Number.isSafeInteger(value) });
  // Replace the library's keyword. It compares each item with all others, which takes 90 ms for 600 documents.
  instance.removeKeyword('uniqueItems');
  instance.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: areUnique });
  return instance;
}

const areUnique: SchemaValidateFunction = (isRequired: boolean, items: readonly unknown[]) => {
  if (!isRequired) return true;
  const seen = new Map<string, number>();
  for (const [j, item] of items.entries()) {
    const text = stableText(item);
    const i = seen.get(text);
    if (i !== undefined) {
      const message = `must NOT have duplicate items (items ## ${i} and ${j} are identical)`;
      areUnique.errors = [{ keyword: 'uniqueItems', params: { i: j, j: i }, message }];
      return false;
    }
    seen.set(text, j);
  }
  return true;
};

/** Returns the schema of a body whose read-only fields are no longer required. */
function forRequests(schema: JsonSchema): JsonSchema {
  const { properties, required } = schema;
  const changed: Record<string, unknown> = { ...schema };
  for (const key of ['items', 'additionalProperties'] as const) {
    const inner = schema[key];
    if (typeof inner === 'object') changed[key] = forRequests(inner);
  }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    if (schema[key]) changed[key] = schema[key].map(forRequests);
  }
  for (const key of ['properties', 'patternProperties'] as const) {
    if (schema[key]) changed[key] = mapValues(schema[key], forRequests);
  }
  if (required) changed.required = required.filter((name) => properties?.[name]?.readOnly !== true);
  return changed as JsonSchema;
}

function mapValues<T>(values: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
