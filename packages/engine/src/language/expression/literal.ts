import { constant, type ExpressionTable } from './expression.ts';

/** The operand as it stands, whatever it looks like. */
export const literalOperators: ExpressionTable = {
  $literal: (operand) => constant(operand),
  $const: (operand) => constant(operand),
};
