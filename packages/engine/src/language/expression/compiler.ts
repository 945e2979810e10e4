import { byBytes, type Comparison } from '../../bson/collation/comparison.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { type Environment, fractionsOf, noEnvironment } from '../environment.ts';
import type { Folding } from '../folding.ts';
import type { Scripts } from '../scripts.ts';
import { type Compiler, constant, type Expression, root } from './expression.ts';
import { systemVariables } from './variable-name.ts';

type CompileWith = (value: Value, compiler: Compiler) => Expression;

const none: ReadonlySet<string> = new Set();

const missing: Expression = { evaluate: () => undefined };

/** System variables that every expression can read. */
const unbound: ReadonlyMap<string, Expression> = new Map([
  ['ROOT', root],
  ['CURRENT', root],
  ['REMOVE', missing],
]);

const SEARCH_META = 'SEARCH_META';

/**
 * Reads `$$SEARCH_META` only when the expression is evaluated. The search, which sets the value, runs after the
 * compilation and before documents arrive.
 */
function searchMeta({ searchMeta: told }: Environment): Expression {
  return told === undefined ? missing : { evaluate: () => told.value };
}

/**
 * Tracks which variables are bound. Each binding has its own slot, which is an index in `Scope.variables`.
 * Inner bindings shadow outer ones.
 */
export class ScopedCompiler implements Compiler {
  readonly #compile: CompileWith;
  readonly #environment: Environment;
  readonly #slots: ReadonlyMap<string, number>;
  readonly size: number;

  constructor(
    compile: CompileWith,
    environment: Environment = noEnvironment,
    slots: ReadonlyMap<string, number> = new Map(),
    size = 0,
  ) {
    this.#compile = compile;
    this.#environment = environment;
    this.#slots = slots;
    this.size = size;
  }

  readonly compile = (value: Value): Expression => this.#compile(value, this);

  get random(): () => number {
    return fractionsOf(this.#environment);
  }

  get metadata(): ReadonlySet<string> {
    return this.#environment.metadata ?? none;
  }

  recordMetadataUse(name: string): void {
    this.#environment.asked?.add(name);
  }

  get strictApi(): boolean {
    return this.#environment.strictApi?.() === true;
  }

  get folding(): Folding | undefined {
    return this.#environment.folding;
  }

  get statement(): Statement {
    return this.#environment.statement;
  }

  get comparison(): Comparison {
    return this.#environment.comparison ?? byBytes;
  }

  get scripts(): Scripts | undefined {
    return this.#environment.scripts;
  }

  bind(names: readonly string[]): ScopedCompiler {
    const slots = new Map(this.#slots);
    names.forEach((name, i) => {
      slots.set(name, this.size + i);
    });
    return new ScopedCompiler(this.#compile, this.#environment, slots, this.size + names.length);
  }

  variable(name: string, field?: string): Expression {
    const slot = this.#slots.get(name);
    if (slot !== undefined) return { evaluate: ({ variables }) => variables?.[slot] };
    const { constants } = this.#environment;
    const value = constants.get(name);
    if (value !== undefined) return constant(value);
    if (constants.has(name)) return missing;
    if (name === SEARCH_META) return searchMeta(this.#environment);
    const found = unbound.get(name);
    if (found === root && this.#environment.rootless) {
      throw new ServerError(
        4890500,
        'Command let Expression tried to access a field, but this is not allowed because Command let expressions ' +
          'run before the query examines any documents.',
      );
    }
    if (found === root) this.#environment.reads?.add(field);
    if (found !== undefined) return found;
    const ofSystem = this.#environment.system?.get(name);
    // Do not mark the expression as constant, because the server rejects system variables where it requires a
    // constant.
    if (ofSystem !== undefined) return { evaluate: ofSystem };
    if (systemVariables.has(name)) {
      throw new ServerError(51144, `Builtin variable '$$${name}' is not available`);
    }
    throw new ServerError(17276, `Use of undefined variable: ${name}`);
  }
}
