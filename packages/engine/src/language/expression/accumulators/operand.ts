import { bsonTypes } from '../../../bson/bson-types.ts';
import { byBytes, type Comparison } from '../../../bson/collation/comparison.ts';
import type { Element, Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Expression, Scope } from '../expression.ts';
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
  /** Number of bytes of the values that it keeps. Undefined if it keeps none. */
  readonly size?: number | undefined;
}

/** A class, because an object with a getter of its own takes 700 bytes. */
class CollectingAccumulator implements Accumulator {
  readonly #argument: Expression;
  readonly #collector: Collector;

  constructor(argument: Expression, collector: Collector) {
    this.#argument = argument;
    this.#collector = collector;
  }

  add(scope: Scope): void {
    this.#collector.add(this.#argument.evaluate(scope));
  }

  result(): Value | undefined {
    return this.#collector.result();
  }

  get size(): number | undefined {
    return this.#collector.size;
  }
}

/** Returns an accumulator over the values of one expression. */
export function over(create: (name: string, comparison: Comparison) => Collector): AccumulatorKind {
  return (operand, context) => {
    const argument = argumentOf(operand, context);
    const { name } = operand;
    const { comparison = byBytes } = context.environment;
    return () => new CollectingAccumulator(argument, create(name, comparison));
  };
}
