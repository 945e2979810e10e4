import { bsonTypes } from '../../../bson/bson-types.ts';
import { byBytes, type Comparison } from '../../../bson/collation/comparison.ts';
import type { Element, Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Expression } from '../expression.ts';
import type { Accumulator, AccumulatorContext, AccumulatorKind } from './accumulator.ts';

/**
 * Compiles the operand as a single argument. Throws for a list of arguments, which is valid only in
 * expressions.
 */
export function argumentOf(operand: Element, { compile, listed }: AccumulatorContext): Expression {
  if (operand.type !== bsonTypes.array || listed === 'value') return compile(operand);
  throw new ServerError(40237, `The ${operand.name} accumulator is a unary operator`);
}

/** Accumulates the values of one expression. */
export interface Collector {
  add(value: Value | undefined): void;
  result(): Value | undefined;
  /** Memory use in bytes. Undefined if the memory use does not grow with the input. */
  readonly size?: number;
}

/** Returns an accumulator over the values of one expression. */
export function over(create: (name: string, comparison: Comparison) => Collector): AccumulatorKind {
  return (operand, context) => {
    const argument = argumentOf(operand, context);
    const { name } = operand;
    const { comparison = byBytes } = context.environment;
    return (): Accumulator => {
      const collector = create(name, comparison);
      const add: Accumulator['add'] = (scope) => collector.add(argument.evaluate(scope));
      const result = () => collector.result();
      if (collector.size === undefined) return { add, result };
      return {
        add,
        result,
        get size() {
          return collector.size ?? 0;
        },
      };
    };
  };
}
