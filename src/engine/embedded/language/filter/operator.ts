import { type Path, someValueAt, type Test } from '../paths.ts';
import type { Value } from '../value.ts';
import type { Condition, Leaf } from './filter.ts';

/** Checks the operand and makes the condition; throws what the server answers to a wrong operand. */
export type CompileOperator = (operand: Value, path: Path) => Condition;

/** Operators that stand below a path: `{path: {$op: operand}}`. */
export type OperatorTable = Readonly<Record<string, CompileOperator>>;

/** A condition that one of the values at a path meets. */
export function leaf(operator: string, path: Path, test: Test, facts: LeafFacts = {}): Condition {
  return { operator, leaf: { path, test, ...facts }, matches: (doc) => someValueAt(path, doc, test) };
}

type LeafFacts = Pick<Leaf, 'bounds' | 'equals'>;

export function not(condition: Condition): Condition {
  return { operator: '$not', children: [condition], matches: (doc) => !condition.matches(doc) };
}
