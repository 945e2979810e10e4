import { ServerError } from '../../server-error.ts';
import { bsonTypes, typeName } from '../bson-types.ts';
import { compileExpression } from '../expression/compile.ts';
import { toNumber } from '../numbers/convert.ts';
import { documentOf } from '../raw.ts';
import { isNumber, textOf, type Value } from '../value.ts';
import { isTrue } from './existence.ts';
import { compileJsonSchema } from './json-schema/compile.ts';
import type { CompileTopLevel } from './logical.ts';

/** Operators about whole documents. */
export const wholeDocumentOperators: Readonly<Record<string, CompileTopLevel>> = {
  $expr: (operand, { environment }) => {
    const expression = compileExpression(operand, environment);
    return {
      operator: '$expr',
      matches: (root) => {
        const value = expression.evaluate({ root });
        return value !== undefined && isTrue(value);
      },
    };
  },
  $jsonSchema: (operand) => {
    if (operand.type !== bsonTypes.object) {
      throw new ServerError('TypeMismatch', '$jsonSchema must be an object');
    }
    const accepts = compileJsonSchema(documentOf(operand));
    return { operator: '$jsonSchema', matches: (doc) => accepts(doc.toValue()) };
  },
  $sampleRate: (operand, { environment: { random = Math.random } }) => {
    const rate = sampleRate(operand);
    return { operator: '$sampleRate', matches: () => random() < rate };
  },
  $text: (operand) => refuseText(operand),
  $where: () => {
    throw new ServerError('BadValue', 'no globalScriptEngine in $where parsing');
  },
};

function sampleRate(operand: Value): number {
  if (!isNumber(operand)) throw new ServerError('BadValue', 'argument to $sampleRate must be a numeric type');
  const rate = toNumber(operand);
  if (rate >= 0 && rate <= 1) return rate;
  throw new ServerError('BadValue', 'numeric argument to $sampleRate must be in [0, 1]');
}

/** Checked as it would be with an index of words; there is none. */
function refuseText(operand: Value): never {
  if (operand.type !== bsonTypes.object) throw new ServerError('BadValue', '$text expects an object');
  const spec = documentOf(operand);
  const expected = {
    $search: 'string',
    $language: 'string',
    $caseSensitive: 'bool',
    $diacriticSensitive: 'bool',
  };
  for (const element of spec) {
    const type = Object.hasOwn(expected, element.name)
      ? expected[element.name as keyof typeof expected]
      : undefined;
    if (type === undefined) {
      throw new ServerError('BadValue', `extra fields in $text: ${element.name}`);
    }
    if (typeName(element.type) !== type) {
      throw new ServerError('TypeMismatch', `${element.name} requires a ${type} value`);
    }
  }
  const search = spec.get('$search');
  if (search === undefined) throw new ServerError('FailedToParse', '$search required for $text query');
  textOf(search);
  throw new ServerError('IndexNotFound', 'text index required for $text query');
}
