import { bsonTypes } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import type { Element } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Environment } from '../../../language/expression/environment.ts';
import { compileFilter, topLevelOperatorTable } from '../../../language/filter/compile.ts';
import { isNear } from '../../../language/geo/near.ts';

const levels = new Set(['off', 'strict', 'moderate']);
const actions = new Set(['error', 'warn', 'errorAndLog']);

export function checkValidationWords(level: string | undefined, action: string | undefined): void {
  if (level !== undefined && !levels.has(level)) throw notAValue('validationLevel', level);
  if (action !== undefined && !actions.has(action)) throw notAValue('validationAction', action);
}

function notAValue(field: string, value: string): ServerError {
  return new ServerError(
    'BadValue',
    `Enumeration value '${value}' for field '${field}' is not a valid value.`,
  );
}

const restricted = new Set(['admin', 'config', 'local']);

/** Throws for a validator that cannot be, or not there. */
export function checkValidator(
  validator: RawDocument,
  database: string,
  name: string,
  environment: Environment,
): void {
  if (validator.isEmpty) return;
  if (name.startsWith('system.')) {
    throw invalid(`Document validators not allowed on system collection ${database}.${name}`);
  }
  if (restricted.has(database)) {
    throw invalid(
      `Document validators are not allowed on collection ${database}.${name} in the ${database} database`,
    );
  }
  checkAlone(validator);
  compileFilter(validator, environment);
}

/** Throws for conditions that only a query of a collection may hold. */
export function checkAlone(filter: RawDocument): void {
  for (const element of filter) checkElement(element);
}

/** What stands below these is no condition. */
const opaque = new Set(['$expr', '$jsonSchema', '$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin']);

function checkElement(element: Element): void {
  const { name } = element;
  if (isNear(name)) {
    throw new ServerError(5626500, '$geoNear, $near, and $nearSphere are not allowed in this context');
  }
  if (topLevelOperatorTable.get(name)?.inValidator === false)
    throw new ServerError('BadValue', `${name} is not allowed in this context`);
  if (opaque.has(name) || (element.type !== bsonTypes.object && element.type !== bsonTypes.array)) return;
  for (const inner of documentOf(element)) checkElement(inner);
}

function invalid(message: string): ServerError {
  return new ServerError('InvalidOptions', message);
}
