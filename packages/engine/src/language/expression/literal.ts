import { constant, type ExpressionTable } from './expression.ts';

/** Return the operand without evaluating it. */
export const literalOperators: ExpressionTable = {
  $literal: (operand) => constant(operand),
  $const: (operand) => constant(operand),
};
