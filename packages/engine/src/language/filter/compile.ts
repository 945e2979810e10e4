import { bsonTypes } from '../../bson/bson-types.ts';
import { byBytes } from '../../bson/collation/comparison.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import type { Element, Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type Environment, noEnvironment } from '../environment.ts';
import { foldingAfter } from '../folding.ts';
import { mapParts } from '../parts.ts';
import { type Path, pathOf } from '../paths.ts';
import { arrayOperators, entryTest } from './array.ts';
import { bitOperators } from './bits.ts';
import type { Bounds } from './bounds.ts';
import { comparisonOperators, equality } from './comparison.ts';
import { documentOperators } from './document-operators.ts';
import { existenceOperators } from './existence.ts';
import type { Condition, Filter } from './filter.ts';
import { and, logicalOperators } from './logical.ts';
import { membershipOperators } from './membership.ts';
import { modOperators } from './mod.ts';
import {
  type CompileOperator,
  type FilterContext,
  not,
  type OperatorTable,
  type TopLevelOperator,
} from './operator.ts';
import { isOperators } from './operators.ts';
import { positionOf } from './position.ts';
import { referenceFields } from './references.ts';
import { regexLeaf, regexOperators, regexTest } from './regex.ts';
import { spatialOperators } from './spatial.ts';
import { specialConditions } from './special.ts';
import { typeOperators } from './type.ts';

/** The operators on the value at a path, by name. */
export const pathOperators = new Map<string, CompileOperator>(
  Object.entries({
    ...comparisonOperators,
    ...membershipOperators,
    ...existenceOperators,
    ...typeOperators,
    ...regexOperators,
    ...modOperators,
    ...arrayOperators,
    ...bitOperators,
    ...spatialOperators,
    $not: negation,
  } satisfies OperatorTable),
);

export const topLevelOperatorTable = new Map(Object.entries({ ...logicalOperators, ...documentOperators }));

/** Returns the descriptor of a top-level operator, or of a DBRef field such as `$id`. */
export function topLevelOperator(name: string): TopLevelOperator | undefined {
  return topLevelOperatorTable.get(name) ?? referenceFields.get(name);
}

/** Throws `BadValue` for unknown operators and invalid operands. */
export function compileFilter(filter: RawDocument, environment: Environment = noEnvironment): Filter {
  const root = foldingAfter(environment.folding, () => compileConditions(filter, contextOf(environment)));
  const { near, text } = specialConditions(root);
  near?.checkIndex();
  return {
    root,
    bounds: collectBounds(root),
    comparison: environment.comparison,
    near,
    scored: text,
    matches: root.matches,
    position: (doc) => positionOf(root, doc),
  };
}

function contextOf(environment: Environment, inElemMatch = false): FilterContext {
  const context: FilterContext = {
    environment,
    insideElemMatch: () => (inElemMatch ? context : contextOf(environment, true)),
    compile: (inner) => compileConditions(inner, context),
    compileOperators: (path, spec) => compileOperators(path, spec, context),
    topLevel(name) {
      const found = topLevelOperator(name);
      if (!inElemMatch || found?.inElemMatch !== false) return found;
      throw new ServerError('BadValue', `$elemMatch cannot contain ${name} expression`);
    },
    isOperator: (name) => pathOperators.has(name) || topLevelOperatorTable.has(name),
  };
  return context;
}

/**
 * Compiles the test of a single array entry. The operand consists of operators, or is a pattern, a filter on
 * documents, or a value that the entry must equal.
 */
export function compileEntryTest(operand: Value, environment: Environment): (entry: Value) => boolean {
  if (operand.type === bsonTypes.regex) return regexTest(operand, environment);
  if (operand.type !== bsonTypes.object) {
    const { compare } = environment.comparison ?? byBytes;
    return (entry) => compare(entry, operand) === 0;
  }
  return entryTest(documentOf(operand), contextOf({ ...environment, withoutNear: true }));
}

/** A filter that matches every document. */
export const everything: Filter = compileFilter(RawDocument.empty);

function compileConditions(filter: RawDocument, context: FilterContext): Condition {
  return and(
    mapParts(filter, 'a filter', (element) => compileField(element, context)),
    context.environment.statement,
  );
}

function compileField(element: Element, context: FilterContext): Condition {
  const { name } = element;
  context.environment.statement.check();
  if (!name.startsWith('$')) return compileAtPath(pathOf(name), element, context);
  const operator = context.topLevel(name);
  if (operator !== undefined) return operator.compile(element, context);
  throw new ServerError(
    'BadValue',
    `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, ` +
      'consider using $getField or $setField.',
  );
}

function compileAtPath(path: Path, operand: Value, context: FilterContext): Condition {
  if (operand.type === bsonTypes.regex) return regexLeaf(path, operand, context.environment);
  if (isOperators(operand))
    return and(compileOperators(path, documentOf(operand), context), context.environment.statement);
  return equality(operand, path, context.environment);
}

function compileOperators(path: Path, spec: RawDocument, context: FilterContext): Condition[] {
  return mapParts(spec, 'a filter', (element) => {
    const compile = pathOperators.get(element.name);
    if (compile === undefined) throw new ServerError('BadValue', `unknown operator: ${element.name}`);
    return compile(element, path, context, spec);
  });
}

function negation(operand: Value, path: Path, context: FilterContext): Condition {
  if (operand.type === bsonTypes.regex) return not(regexLeaf(path, operand, context.environment));
  if (operand.type !== bsonTypes.object)
    throw new ServerError('BadValue', '$not needs a regex or a document');
  const spec = documentOf(operand);
  if (spec.isEmpty) throw new ServerError('BadValue', '$not cannot be empty');
  return not(and(compileOperators(path, spec, context), context.environment.statement));
}

function collectBounds(root: Condition): Map<string, Bounds[]> {
  const found = new Map<string, Bounds[]>();
  const visit = (condition: Condition) => {
    if (condition.operator === '$and') condition.children?.forEach(visit);
    const { leaf } = condition;
    if (leaf?.bounds === undefined) return;
    const atPath = found.get(leaf.path.text);
    if (atPath === undefined) found.set(leaf.path.text, [leaf.bounds]);
    else atPath.push(leaf.bounds);
  };
  visit(root);
  return found;
}
