import type { ServerError } from '../errors/server-error.ts';
import type { Statement } from '../statement/statement.ts';

/** An expression that may be constant. If it is, reading `failure` evaluates it. */
interface Foldable {
  readonly failure?: ServerError | undefined;
}

/**
 * The limits on the evaluation of one constant. If a constant exceeds them, it is evaluated only when a document
 * needs its value.
 */
const BOUNDS = { checks: 4_096, bytes: 1 << 20 };

/**
 * The constant expressions of a command. The command evaluates them before it reads documents. If a constant fails, the
 * command fails even if no document needs the value, as on the server.
 */
export class Folding {
  readonly #statement: Statement;
  #found: Array<Foldable | undefined> = [];
  #depth = 0;

  constructor(statement: Statement) {
    this.#statement = statement;
  }

  add(expression: Foldable): void {
    this.#found.push(expression);
  }

  /** Returns the result of `compile`, and a function that removes the constants which `compile` has added. */
  apart<T>(compile: () => T): [made: T, forget: () => void] {
    const from = this.#found.length;
    const made = compile();
    const to = this.#found.length;
    return [made, () => void this.#found.fill(undefined, from, to)];
  }

  /**
   * Runs `compile` and then evaluates the constants. If calls of `after` are nested, only the outermost call
   * evaluates the constants.
   */
  after<T>(compile: () => T): T {
    this.#depth++;
    try {
      const made = compile();
      if (this.#depth === 1) this.#evaluate();
      return made;
    } finally {
      this.#depth--;
      if (this.#depth === 0) this.#found = [];
    }
  }

  #evaluate(): void {
    for (const expression of this.#found) {
      this.#statement.check();
      const failure = this.#statement.within(BOUNDS, () => expression?.failure);
      if (failure !== undefined) throw failure;
    }
  }
}

/** Runs `compile`. With a `folding`, evaluates the constants afterwards like `Folding.after`. */
export function foldingAfter<T>(folding: Folding | undefined, compile: () => T): T {
  return folding === undefined ? compile() : folding.after(compile);
}
