import { ServerError } from '../../server-error.ts';
import { bsonTypes } from '../bson-types.ts';
import { type Path, pathOf } from '../paths.ts';
import { documentOf, RawDocument } from '../raw.ts';
import type { Element, Value } from '../value.ts';
import type { Bounds } from './bounds.ts';
import { comparisonOperators, equality } from './comparison.ts';
import { existenceOperators } from './existence.ts';
import type { Condition, Filter } from './filter.ts';
import { and, topLevelOperators } from './logical.ts';
import { membershipOperators } from './membership.ts';
import { type CompileOperator, not, type OperatorTable } from './operator.ts';
import { refuseRegex } from './regex.ts';

/** Every operator below a path. */
const operators = new Map<string, CompileOperator>(
  Object.entries({
    ...comparisonOperators,
    ...membershipOperators,
    ...existenceOperators,
    $not: negation,
  } satisfies OperatorTable),
);

const topLevel = new Map(Object.entries(topLevelOperators));

/** Throws `BadValue` for an operator that is not there and for operands that do not fit theirs. */
export function compileFilter(filter: RawDocument): Filter {
  const root = compileConditions(filter);
  return { root, bounds: collectBounds(root), matches: root.matches };
}

/** A filter that every document passes. */
export const everything: Filter = compileFilter(RawDocument.empty);

function compileConditions(filter: RawDocument): Condition {
  return and([...filter].map(compileField));
}

function compileField(element: Element): Condition {
  const { name } = element;
  if (!name.startsWith('$')) return compileAtPath(pathOf(name), element);
  const compile = topLevel.get(name);
  if (compile !== undefined) return compile(element, compileConditions);
  throw new ServerError(
    'BadValue',
    `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, ` +
      'consider using $getField or $setField.',
  );
}

function compileAtPath(path: Path, operand: Value): Condition {
  if (operand.type === bsonTypes.regex) refuseRegex();
  if (isOperators(operand)) return and(compileOperators(path, documentOf(operand)));
  return equality(operand, path);
}

/** Names with which a reference to a document begins; such a document is a value. */
const referenceNames: ReadonlySet<string> = new Set(['$ref', '$id', '$db']);

function isOperators(operand: Value): boolean {
  if (operand.type !== bsonTypes.object) return false;
  const first = documentOf(operand).first()?.name ?? '';
  return first.startsWith('$') && !referenceNames.has(first);
}

function compileOperators(path: Path, spec: RawDocument): Condition[] {
  return [...spec].map((element) => {
    const compile = operators.get(element.name);
    if (compile === undefined) throw new ServerError('BadValue', `unknown operator: ${element.name}`);
    return compile(element, path);
  });
}

function negation(operand: Value, path: Path): Condition {
  if (operand.type === bsonTypes.regex) refuseRegex();
  if (operand.type !== bsonTypes.object)
    throw new ServerError('BadValue', '$not needs a regex or a document');
  const spec = documentOf(operand);
  if (spec.isEmpty) throw new ServerError('BadValue', '$not cannot be empty');
  return not(and(compileOperators(path, spec)));
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
