import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { documentOf } from '../../../bson/raw.ts';
import type { Element } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';

/**
 * Reads the fields of an operand, all of which are required. As in the server, an invalid field has the same error code
 * as an invalid field of a command.
 */
export function fieldsOfCommand(operand: Element, names: readonly string[]): Map<string, Element> {
  const { name } = operand;
  if (operand.type !== bsonTypes.object) {
    throw new ServerError(
      7436100,
      `${name} specification must be an object; found ${typeName(operand.type)}`,
    );
  }
  const fields = new Map<string, Element>();
  for (const element of documentOf(operand)) {
    if (!names.includes(element.name)) {
      throw new ServerError(40415, `BSON field '${name}.${element.name}' is an unknown field.`);
    }
    fields.set(element.name, element);
  }
  for (const field of names) {
    if (!fields.has(field)) {
      throw new ServerError(40414, `BSON field '${name}.${field}' is missing but a required field`);
    }
  }
  return fields;
}
