import { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { freeing, type Statement } from '../../statement/statement.ts';
import type { Expression, Scope } from './expression.ts';

const nowhere: Scope = { root: RawDocument.empty };

/**
 * Maximum size of a constant that is kept. A larger constant is evaluated each time, because even a short expression,
 * such as a range, can have a very large value.
 */
const KEPT_BYTES = 1 << 20;

/**
 * An expression that is constant if all its arguments are constant. A constant expression is evaluated once,
 * when its value is first needed, because compilation must be fast. If the evaluation fails, the error is
 * deferred as well, because the expression may be in a branch that is never taken.
 */
export class FoldedExpression implements Expression {
  readonly #args: ReadonlyArray<Expression | undefined>;
  readonly #evaluate: Expression['evaluate'];
  readonly #statement: Statement;
  #folded = false;
  #constant: Value | undefined;
  #failure: ServerError | undefined;

  constructor(
    args: ReadonlyArray<Expression | undefined>,
    evaluate: Expression['evaluate'],
    statement: Statement,
  ) {
    this.#args = args;
    this.#evaluate = evaluate;
    this.#statement = statement;
  }

  get constant(): Value | undefined {
    if (!this.#folded) this.#fold();
    return this.#constant;
  }

  get failure(): ServerError | undefined {
    if (!this.#folded) this.#fold();
    return this.#failure;
  }

  evaluate(scope: Scope): Value | undefined {
    return this.constant ?? this.#now(scope);
  }

  #now(scope: Scope): Value | undefined {
    return freeing(this.#statement, this.#evaluate, scope);
  }

  #fold(): void {
    if (!this.#args.every((arg) => arg === undefined || arg.constant !== undefined)) {
      this.#folded = true;
      return;
    }
    try {
      const value = this.#now(nowhere);
      const size = value === undefined ? 0 : value.end - value.start;
      if (size <= KEPT_BYTES) {
        this.#statement.keep(size, 'an expression');
        this.#constant = value;
      }
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      this.#failure = error;
    }
    this.#folded = true;
  }
}
