import { accumulationOperators } from './accumulation.ts';
import { arithmeticOperators } from './arithmetic.ts';
import { arrayOperators } from './array.ts';
import { arrayMakingOperators } from './array-making.ts';
import { bitwiseOperators } from './bitwise.ts';
import { booleanOperators } from './boolean.ts';
import { comparisonOperators } from './comparison.ts';
import { conditionalOperators } from './conditional.ts';
import { dateArithmeticOperators } from './date-arithmetic.ts';
import { dateFromPartsOperators } from './date-from-parts.ts';
import { datePartOperators } from './date-part.ts';
import { dateTextOperators } from './date-text.ts';
import type { ExpressionTable } from './expression.ts';
import { firstLastNOperators } from './first-last-n.ts';
import { functionOperators } from './function.ts';
import { iterationOperators } from './iteration.ts';
import { literalOperators } from './literal.ts';
import { mathematicsOperators } from './mathematics.ts';
import { miscellaneousOperators } from './miscellaneous.ts';
import { objectOperators } from './object.ts';
import { percentileOperators } from './percentile.ts';
import { regexOperators } from './regex.ts';
import { replaceOperators } from './replace.ts';
import { roundingOperators } from './rounding.ts';
import { setOperators } from './set.ts';
import { sortArrayOperators } from './sort-array.ts';
import { stringOperators } from './string.ts';
import { substringOperators } from './substring.ts';
import { trigonometryOperators } from './trigonometry.ts';
import { trimOperators } from './trim.ts';
import { typeOperators } from './type.ts';
import { variableOperators } from './variables.ts';

export const operatorTable: ExpressionTable = {
  ...arithmeticOperators,
  ...arrayMakingOperators,
  ...arrayOperators,
  ...bitwiseOperators,
  ...booleanOperators,
  ...comparisonOperators,
  ...conditionalOperators,
  ...datePartOperators,
  ...dateTextOperators,
  ...typeOperators,
  ...dateArithmeticOperators,
  ...dateFromPartsOperators,
  ...sortArrayOperators,
  ...accumulationOperators,
  ...miscellaneousOperators,
  ...firstLastNOperators,
  ...percentileOperators,
  ...functionOperators,
  ...iterationOperators,
  ...literalOperators,
  ...mathematicsOperators,
  ...objectOperators,
  ...regexOperators,
  ...replaceOperators,
  ...roundingOperators,
  ...setOperators,
  ...stringOperators,
  ...substringOperators,
  ...trigonometryOperators,
  ...trimOperators,
  ...variableOperators,
};
