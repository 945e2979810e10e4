import { bsonTypes } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type Environment, fractionsOf } from '../environment.ts';
import { compileExpression } from '../expression/compile.ts';
import type { Expression } from '../expression/expression.ts';
import { isTrue } from './existence.ts';
import { impliedBounds } from './expression-bounds.ts';
import { compileJsonSchema } from './json-schema/compile.ts';
import type { TopLevelTable } from './operator.ts';
import { compileText } from './text.ts';
import { compileWhere } from './where.ts';

/** Operators on whole documents. */
export const documentOperators: TopLevelTable = {
  $expr: {
    compile(operand, { environment }) {
      const expression = compileExpression(operand, environment);
      const bytewise = bytewiseParts(operand, environment);
      return {
        operator: '$expr',
        implied: impliedBounds(operand, environment),
        matches: tolerating(
          (root) => holds(expression, root) && bytewise.every((part) => holds(part, root)),
          environment,
        ),
      };
    },
    asksDocuments: true,
    inElemMatch: false,
    inProjection: 'onlyAtTop',
    inValidator: true,
  },
  $jsonSchema: {
    compile(operand, { environment }) {
      if (operand.type !== bsonTypes.object) {
        throw new ServerError('TypeMismatch', '$jsonSchema must be an object');
      }
      const accepts = compileJsonSchema(
        documentOf(operand),
        environment.statement,
        environment.withoutEncryption !== true,
      );
      return { operator: '$jsonSchema', matches: (doc) => accepts(doc.toValue()) };
    },
    asksDocuments: false,
    inElemMatch: true,
    inProjection: 'refused',
    inValidator: true,
  },
  $sampleRate: {
    compile(operand, { environment }) {
      const random = fractionsOf(environment);
      const rate = sampleRate(operand);
      return { operator: '$sampleRate', matches: () => random() < rate };
    },
    asksDocuments: false,
    inElemMatch: true,
    inProjection: 'allowed',
    inValidator: true,
  },
  $text: {
    compile: compileText,
    asksDocuments: false,
    inElemMatch: false,
    inProjection: 'onlyAtTop',
    inValidator: false,
  },
  $where: {
    compile: compileWhere,
    asksDocuments: true,
    inElemMatch: false,
    inProjection: 'onlyAtTop',
    inValidator: false,
  },
};

function sampleRate(operand: Value): number {
  if (!isNumber(operand)) throw new ServerError('BadValue', 'argument to $sampleRate must be a numeric type');
  const rate = toNumber(operand);
  if (rate >= 0 && rate <= 1) return rate;
  throw new ServerError('BadValue', 'numeric argument to $sampleRate must be in [0, 1]');
}

type Matches = (root: RawDocument) => boolean;

function tolerating(matches: Matches, { failedExpressions, statement }: Environment): Matches {
  if (failedExpressions !== 'noMatch') return matches;
  return (root) => {
    try {
      return matches(root);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      statement.check();
      return false;
    }
  };
}

function holds(expression: Expression, root: RawDocument): boolean {
  const value = expression.evaluate({ root });
  return value !== undefined && isTrue(value);
}

/**
 * Returns the parts of `$expr` in which the server ignores the collation. These are the parts that test, by `$in`,
 * whether a field equals one of several constants.
 */
function bytewiseParts(operand: Value, environment: Environment): Expression[] {
  const { comparison, ...others } = environment;
  if (comparison === undefined || operand.type !== bsonTypes.object) return [];
  const only = documentOf(operand).first();
  if (only?.type !== bsonTypes.array) return [];
  const entries = entriesOf(only);
  if (only.name === '$and') return entries.flatMap((entry) => bytewiseParts(entry, environment));
  const [path, list] = entries;
  if (only.name !== '$in' || path?.type !== bsonTypes.string || list?.type !== bsonTypes.array) return [];
  const isField = /^\$[^$]/.test(textOf(path));
  return isField && compileExpression(list, others).constant !== undefined
    ? [compileExpression(operand, others)]
    : [];
}
