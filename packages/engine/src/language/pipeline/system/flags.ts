import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { documentOf } from '../../../bson/raw.ts';
import { boolOf, type Value } from '../../../bson/value.ts';
import { type CodeName, ServerError } from '../../../errors/server-error.ts';
import { optionsOf } from '../stage-access.ts';

/** Reads boolean options. Null is an error. */
export function readFlags<const T extends string>(
  stage: string,
  spec: Value,
  names: readonly T[],
  notDocument: number | CodeName = 'TypeMismatch',
): { readonly [K in T]: boolean } {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(
      notDocument,
      `The ${stage} stage specification must be an object, but found: ${typeName(spec.type)}`,
    );
  }
  const flags = Object.fromEntries(names.map((name) => [name, false])) as Record<T, boolean>;
  for (const element of documentOf(spec)) {
    const name = names.find((known) => known === element.name);
    if (name === undefined) {
      throw new ServerError(40415, `BSON field '${stage}.${element.name}' is an unknown field.`);
    }
    if (element.type !== bsonTypes.bool) {
      throw new ServerError(
        'TypeMismatch',
        `BSON field '${stage}.${name}' is the wrong type '${typeName(element.type)}', expected type 'bool'`,
      );
    }
    flags[name] = boolOf(element);
  }
  return flags;
}

/** True if a stage requests data of all users or of named users. The caller then needs a privilege. */
export function namesUsers(stage: Value): boolean {
  const options = optionsOf(stage);
  return options.has('allUsers') || options.has('users');
}
