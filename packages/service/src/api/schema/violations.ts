import type { Fault } from '@portolan/foundation/faults';
import type { ErrorObject } from 'ajv';
import { generalFaults, violation } from '../faults.ts';
import { branchFor, isPlainObject, type JsonSchema } from './json-schema.ts';

/** Returns the fault for a violated keyword of a schema (docs/contract/access.md 3.2). `path` is dotted. */
type Meaning = (error: ErrorObject, path: string) => Fault;

const anyViolation: Meaning = (error, path) => violation(path, error.message ?? 'is invalid');

const tooLong: Meaning = (error, path) =>
  violation(path, `exceeded the maximum allowed length of ${error.params.limit} characters`);

const tooSmall: Meaning = (error, path) => {
  const { limit } = error.params;
  const exclusive = error.keyword === 'exclusiveMinimum';
  const value = Number(error.data);
  if (limit === 0 && !exclusive) return generalFaults.ATTRIBUTE_NEGATIVE(path);
  if (value <= 0 && (limit === 1 || (limit === 0 && exclusive)))
    return generalFaults.ATTRIBUTE_NEGATIVE_OR_ZERO(path);
  return anyViolation(error, path);
};

const wrongFormat: Meaning = (error, path) => {
  const value = shown(error.data);
  switch (error.params.format) {
    case 'date-time':
      return generalFaults.INVALID_DATE_FORMAT(value).at(path);
    case 'email':
      return generalFaults.INVALID_EMAIL_ADDRESS().at(path);
    case 'uri':
      return generalFaults.INVALID_URL(value).at(path);
    default:
      return anyViolation(error, path);
  }
};

const missing: Meaning = (error, path) => {
  const given = isPlainObject(error.data) ? error.data : {};
  const required: readonly string[] = error.parentSchema?.required ?? [];
  const names = required
    .filter((name) => !(name in given))
    .map((name) => (path === '' ? name : `${path}.${name}`));
  if (names.length === 1) return generalFaults.MISSING_ATTRIBUTE(names[0] ?? '');
  return generalFaults.MISSING_ATTRIBUTES(names.join(', '));
};

const notAllowed: Meaning = (error, path) => {
  const { allowedValues, allowedValue } = error.params;
  const values: readonly unknown[] = allowedValues ?? [allowedValue];
  return notOneOf(values, error.data, path);
};

function notOneOf(values: readonly unknown[], value: unknown, path: string): Fault {
  const fault = generalFaults.INVALID_ENUM_VALUE(shown(value));
  return fault.at(path, `must be one of ${values.map(shown).join(', ')}`);
}

const wrongType: Meaning = (_, path) =>
  path === '' ? generalFaults.INVALID_JSON() : generalFaults.INVALID_JSON_ATTRIBUTE(path);

/** Faults by keyword of JSON Schema. A violation of any other keyword, such as `pattern`, leads to `anyViolation`. */
const meanings: Readonly<Record<string, Meaning>> = {
  type: wrongType,
  anyOf: wrongType,
  oneOf: wrongType,
  required: missing,
  enum: notAllowed,
  const: notAllowed,
  maxLength: tooLong,
  minimum: tooSmall,
  exclusiveMinimum: tooSmall,
  format: wrongFormat,
};

/** Returns the fault for the first error of a validation. */
export function violationFault(errors: readonly ErrorObject[]): Fault {
  const error = errors.at(-1);
  if (error === undefined) throw new TypeError('A failed validation returned no error');
  if (error.keyword === 'anyOf' || error.keyword === 'oneOf') return alternativesViolated(error, errors);
  return (meanings[error.keyword] ?? anyViolation)(error, dottedPath(error));
}

/** Reports the error in the alternative that the value selects. */
function alternativesViolated(error: ErrorObject, errors: readonly ErrorObject[]): Fault {
  const branches = error.schema as readonly JsonSchema[];
  const branch = branchFor(branches, error.data);
  const prefix = `${error.schemaPath}/${branch ? branches.indexOf(branch) : -1}/`;
  const within = errors.filter((each) => each.schemaPath.startsWith(prefix));
  const first = within.at(-1);
  if (first)
    return (first.keyword === 'enum' && ofAnyBranch(branches, error, first)) || violationFault(within);
  if (branches.every((branch) => 'const' in branch || branch.enum)) {
    const values = branches.flatMap((branch) => branch.enum ?? [branch.const]);
    return notOneOf(values, error.data, dottedPath(error));
  }
  return wrongType(error, dottedPath(error));
}

/** Returns the fault for a discriminator value that no alternative has; it lists the values of all alternatives. */
function ofAnyBranch(
  branches: readonly JsonSchema[],
  { instancePath }: ErrorObject,
  error: ErrorObject,
): Fault | undefined {
  const name = error.instancePath.slice(instancePath.length + 1);
  const fields = branches.map(({ properties }) => properties?.[name]?.enum);
  if (!fields.every((values) => values !== undefined)) return undefined;
  return notOneOf([...new Set(fields.flat())], error.data, dottedPath(error));
}

/** `/replicationSpecs/0/id` → `replicationSpecs.0.id` */
function dottedPath(error: ErrorObject): string {
  return error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
