import { bsonTypes, type TypeName, typeName } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import { type Element, isNumber, nullValue, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type BinaryOptions, formats } from './binary-conversion.ts';
import { int32Argument } from './coerce.ts';
import { ConversionError } from './conversion-error.ts';
import { convert } from './conversions.ts';
import { type Compiler, checkConstant, type Expression, type Scope } from './expression.ts';
import { type Argument, folded, isNullish, type NamedArguments, named, typeOf } from './operator.ts';

const convertArguments = {
  notDocument: 'FailedToParse',
  unknown: 'FailedToParse',
  fields: {
    input: 'FailedToParse',
    to: 'FailedToParse',
    format: 'optional',
    byteOrder: 'optional',
    onError: 'optional',
    onNull: 'optional',
  },
} as const satisfies NamedArguments;

type Arguments = Partial<Record<keyof typeof convertArguments.fields, Expression>>;

interface Target {
  readonly type: TypeName;
  readonly subtype: number;
}

export function compileConvert(operand: Element, compiler: Compiler): Expression {
  const args = named(operand, compiler, convertArguments);
  checkConstant(args.onError);
  checkConstant(args.onNull);
  return folded(compiler, Object.values(args), (scope) => converted(args, scope));
}

function converted(args: Arguments, scope: Scope): Argument {
  const input = args.input?.evaluate(scope);
  if (isNullish(input)) return args.onNull === undefined ? nullValue : args.onNull.evaluate(scope);
  const to = args.to?.evaluate(scope);
  if (isNullish(to)) return nullValue;
  const target = targetOf(to);
  const format = formatArgument(args.format?.evaluate(scope));
  const littleEndian = byteOrderArgument(args.byteOrder?.evaluate(scope));
  const options: BinaryOptions = { subtype: target.subtype, format, littleEndian };
  try {
    return convert(input, target.type, options);
  } catch (error) {
    if (!(error instanceof ConversionError) || args.onError === undefined) throw error;
    return args.onError.evaluate(scope);
  }
}

function targetOf(to: Value): Target {
  if (to.type !== bsonTypes.object) return { type: typeNamed(to), subtype: 0 };
  const doc = documentOf(to);
  const type = doc.get('type');
  if (type === undefined || isNullish(type)) {
    throw new ServerError('FailedToParse', "$convert's 'to' object needs a 'type'");
  }
  return { type: typeNamed(type), subtype: subtypeOf(doc.get('subtype')) };
}

function subtypeOf(value: Argument): number {
  if (value === undefined) return 0;
  if (!isNumber(value)) {
    throw new ServerError(4341108, `$convert's 'subtype' must be a number, but is ${typeOf(value)}`);
  }
  const subtype = int32Argument(value);
  if (subtype === undefined) throw new ServerError(4341106, "$convert's 'subtype' must be an integer");
  const known = (subtype >= 0 && subtype <= 9) || (subtype >= 128 && subtype <= 255);
  if (!known) throw new ServerError(4341107, `$convert's 'subtype' is none: ${subtype}`);
  return subtype;
}

/** Returns the type with this name or number. */
function typeNamed(value: Value): TypeName {
  if (value.type === bsonTypes.string) {
    const name = textOf(value);
    if (Object.hasOwn(bsonTypes, name)) return name as TypeName;
    throw new ServerError('BadValue', `Unknown type name: ${name}`);
  }
  if (!isNumber(value)) {
    throw new ServerError('FailedToParse', "$convert's 'to' argument must be a string or number");
  }
  const code = int32Argument(value);
  if (code === undefined) {
    throw new ServerError('FailedToParse', "In $convert, numeric 'to' argument is not an integer");
  }
  if (code === 0) throw new ServerError('ConversionFailure', "In $convert, 'to' is the type missing");
  const name = typeName(code === -1 ? bsonTypes.minKey : code);
  if (name === 'missing' || code === bsonTypes.minKey) {
    throw new ServerError('FailedToParse', `In $convert, numeric value for 'to' is no type: ${code}`);
  }
  return name;
}

/** Returns the name of the format, or undefined for null, which selects the default format. */
function formatArgument(value: Argument): string | undefined {
  if (isNullish(value)) return undefined;
  if (value.type !== bsonTypes.string) {
    throw new ServerError(4341114, `$convert requires that 'format' be a string, found: ${typeOf(value)}`);
  }
  const name = textOf(value);
  if (!formats.has(name)) throw new ServerError(4341125, `Invalid 'format' argument for $convert: ${name}`);
  return name;
}

function byteOrderArgument(value: Argument): boolean {
  if (isNullish(value)) return true;
  if (value.type !== bsonTypes.string) {
    throw new ServerError(9130001, `$convert requires that 'byteOrder' be a string, found: ${typeOf(value)}`);
  }
  const order = textOf(value);
  if (order !== 'little' && order !== 'big') {
    throw new ServerError(9130002, `Invalid 'byteOrder' argument for $convert: ${order}`);
  }
  return order === 'little';
}
