import { constant, type ExpressionTable } from './expression.ts';

/** Operators that return the operand without evaluating it. */
export const literalOperators: ExpressionTable = {
  $literal: (operand) => constant(operand),
  $const: (operand) => constant(operand),
};
