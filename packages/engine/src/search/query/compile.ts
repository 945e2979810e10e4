import { searchError } from './errors.ts';
import type { Operator, OperatorContext } from './operator.ts';
import { operators } from './operators/index.ts';
import { readScore, rescored } from './score.ts';
import type { Searching } from './searching.ts';
import type { Spec } from './spec.ts';

/** Maximum nesting depth of operators. */
const MAX_NESTED = 50;

/** Compiles the operator of a document, whose only field is the operator's name. */
export function compileOperator(spec: Spec, search: Searching, scope?: string): Operator {
  return compileAt(spec, search, scope, scope, 0);
}

function compileAt(
  spec: Spec,
  search: Searching,
  within: string | undefined,
  scope: string | undefined,
  depth: number,
): Operator {
  const [name] = spec.names;
  if (name === undefined || spec.names.length > 1) {
    throw searchError(`"${spec.at}" must have exactly one operator`);
  }
  if (depth > MAX_NESTED) throw searchError('operators are nested too deeply');
  const compile = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (compile === undefined) throw searchError(`unrecognized operator "${name}"`);
  search.clause();
  const inner = spec.requiredDocument(name);
  const rescore = readScore(inner, search);
  const context: OperatorContext = {
    search,
    within,
    scope,
    compile: (other, at) => compileAt(other, search, at, scope, depth + 1),
  };
  const operator = rescored(compile(inner, context), rescore);
  spec.finish();
  return operator;
}

/** True if a field of a search specification is the name of an operator. */
export function isOperator(name: string): boolean {
  return Object.hasOwn(operators, name);
}
