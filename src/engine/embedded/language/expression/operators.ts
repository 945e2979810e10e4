import type { ExpressionTable } from './expression.ts';
import { literalOperators } from './literal.ts';

/** Every operator of expressions. */
export const operatorTable: ExpressionTable = {
  ...literalOperators,
};
