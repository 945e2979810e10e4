import { searchError } from './errors.ts';
import { checkPaths } from './levels.ts';
import type { Level, Operator, OperatorContext } from './operator.ts';
import { operators } from './operators/index.ts';
import { readScore, rescored } from './score.ts';
import type { Searching } from './searching.ts';
import type { Spec } from './spec.ts';

/** Maximum nesting depth of operators. */
const MAX_NESTED = 50;

interface Compiling {
  readonly search: Searching;
  readonly scope: string | undefined;
  readonly facet: string | undefined;
}

/**
 * Compiles the operator in `spec`, whose only field is the name of the operator. `facet` is the name of the facet that
 * is counted. Operators that do not affect this facet are omitted.
 */
export function compileOperator(spec: Spec, search: Searching, scope?: string, facet?: string): Operator {
  return compileAt(spec, { within: scope, source: 'returnScope.path' }, 0, { search, scope, facet });
}

/** Compiles the operator of embedded documents at a path. */
export function compileWithin(spec: Spec, search: Searching, path: string): Operator {
  const level = { within: path, source: 'embeddedDocument.path' };
  return compileAt(spec, level, 0, { search, scope: undefined, facet: undefined });
}

function compileAt(spec: Spec, level: Level, depth: number, compiling: Compiling): Operator {
  const { search } = compiling;
  const { within, source } = level;
  const [name] = spec.names;
  if (name === undefined || spec.names.length > 1) {
    throw searchError(`"${spec.at}" must have exactly one operator`);
  }
  if (depth > MAX_NESTED) throw searchError('operators are nested too deeply');
  const compile = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (compile === undefined) throw searchError(`unrecognized operator "${name}"`);
  if (name === 'vectorSearch' && depth > 0) {
    throw searchError(`"vectorSearch" must be the operator of the search, but is in "${spec.at}"`);
  }
  search.clause();
  const inner = spec.requiredDocument(name);
  const rescore = readScore(inner, name, search);
  const context: OperatorContext = {
    ...compiling,
    within,
    source,
    compile: (other, at = level) => compileAt(other, at, depth + 1, compiling),
  };
  checkPaths(name, inner, level);
  const compiled = search.at(within, () => compile(inner, context));
  spec.finish();
  return compiled.omitted === true ? compiled : rescored(compiled, rescore);
}

/** True if a field of a search specification is the name of an operator. */
export function isOperator(name: string): boolean {
  return Object.hasOwn(operators, name);
}
