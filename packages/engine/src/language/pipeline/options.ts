import { isNumberType, type TypeName, typeName } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import { type Element, isAbsent, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';

/** The type of an option. In `OptionTable`, `!` marks it as required. */
type OptionType = 'string' | 'object' | 'array' | 'bool' | 'number' | 'any';
export type OptionTable = Readonly<Record<string, OptionType | `${OptionType}!`>>;

/** Reads the options of a stage by the rules of command fields: null and undefined count as absent. */
export function readOptions<T extends OptionTable>(
  stage: string,
  spec: Value,
  table: T,
): { readonly [K in keyof T]?: Element } {
  const found: Record<string, Element> = Object.create(null);
  const seen = new Set<string>();
  for (const element of documentOf(spec)) {
    const { name } = element;
    const type = Object.hasOwn(table, name) ? table[name] : undefined;
    if (type === undefined) {
      throw new ServerError(40415, `BSON field '${stage}.${name}' is an unknown field.`);
    }
    if (seen.has(name)) {
      throw new ServerError(40413, `BSON field '${stage}.${name}' is a duplicate field`);
    }
    seen.add(name);
    if (isAbsent(element) && !type.startsWith('any')) continue;
    checkType(stage, element, type.replace('!', '') as OptionType);
    found[name] = element;
  }
  for (const [name, type] of Object.entries(table)) {
    if (type.endsWith('!') && found[name] === undefined) {
      throw new ServerError(40414, `BSON field '${stage}.${name}' is missing but a required field`);
    }
  }
  return found as { readonly [K in keyof T]?: Element };
}

function checkType(stage: string, element: Element, type: OptionType): void {
  if (type === 'any') return;
  const fits = type === 'number' ? isNumberType(element.type) : typeName(element.type) === (type as TypeName);
  if (fits) return;
  throw new ServerError(
    'TypeMismatch',
    `BSON field '${stage}.${element.name}' is the wrong type '${typeName(element.type)}', expected type '${type}'`,
  );
}
