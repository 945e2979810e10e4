import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { utcDate } from '../dates.ts';
import { asJsonSchema, type JsonSchema } from './json-schema.ts';

/** Answers what is wrong with a value; nothing when it is valid. */
export type Validator = (value: unknown) => Promise<readonly ErrorObject[] | undefined>;

const INT32_MAX = 2 ** 31 - 1;

let ajv: Promise<Ajv> | undefined;

/**
 * Checks values as they are: nothing is coerced, removed or filled in. Both the library and the schema are loaded when
 * the first value comes, because all schemas together would take longer to compile than the service to start.
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
  // Only the first problem is told, and looking for all would let a large body cost much memory.
  const instance = new Constructor({
    allErrors: false,
    verbose: true,
    strict: false,
    // 1e400 is JSON, but no number that could be kept: it would come back as null.
    strictNumbers: true,
    logger: false,
  });
  formats.default(instance, ['email', 'uri', 'uuid', 'ipv4', 'ipv6', 'hostname']);
  instance.addFormat('date-time', (text: string) => utcDate(text) !== undefined);
  instance.addFormat('int32', { type: 'number', validate: (value) => Math.abs(value + 0.5) < INT32_MAX + 1 });
  instance.addFormat('int64', { type: 'number', validate: (value) => Number.isSafeInteger(value) });
  return instance;
}

/** The schema as it holds for a body from which the read-only fields were taken: they are required of nobody. */
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
