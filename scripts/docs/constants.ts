import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { parse } from 'acorn';

const root = dirname(dirname(import.meta.dirname));

interface Expression {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly operator?: string;
  readonly left?: Expression;
  readonly right?: Expression;
}

interface Declaration {
  readonly type: string;
  readonly declaration?: Declaration | null;
  readonly declarations?: ReadonlyArray<{ readonly id: Expression; readonly init?: Expression | null }>;
}

const operators: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '**': (a, b) => a ** b,
  '<<': (a, b) => a << b,
};

/**
 * Returns a function that reads a number which a source file declares as a constant. The constant needs no export. The
 * function throws if the constant was renamed.
 */
export function constantsOf(path: string): (name: string) => number {
  const text = stripTypeScriptTypes(readFileSync(join(root, path), 'utf8'));
  const { body } = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  const known = new Map<string, Expression>();
  for (const statement of body as unknown as Declaration[]) {
    const { declarations = [] } = statement.declaration ?? statement;
    for (const { id, init } of declarations) if (id.name && init) known.set(id.name, init);
  }
  const numberOf = (name: string): number => {
    const init = known.get(name);
    const value = init === undefined ? undefined : valueIn(init, numberOf);
    if (value === undefined) throw new Error(`${path} has no number ${name}`);
    return value;
  };
  return numberOf;
}

function valueIn(expression: Expression, numberOf: (name: string) => number): number | undefined {
  const { type, name, value, operator = '', left, right } = expression;
  if (type === 'Literal' && typeof value === 'number') return value;
  if (type === 'Identifier' && name !== undefined) return numberOf(name);
  if (type !== 'BinaryExpression' || left === undefined || right === undefined) return undefined;
  const [a, b] = [valueIn(left, numberOf), valueIn(right, numberOf)];
  return a === undefined || b === undefined ? undefined : operators[operator]?.(a, b);
}
