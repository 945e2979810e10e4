import { constant, type ExpressionTable } from './expression.ts';

/** Returns the operand unevaluated. */
export const literalOperators: ExpressionTable = {
  $literal: (operand) => constant(operand),
  $const: (operand) => constant(operand),
};
