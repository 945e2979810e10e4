import { bsonTypes } from '../../bson/bson-types.ts';
import { byBytes, type Comparison } from '../../bson/collation/comparison.ts';
import { compareValues } from '../../bson/compare.ts';
import { keyText } from '../../bson/keys.ts';
import { documentOf } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Environment } from '../environment.ts';
import { checking } from '../expression/entries.ts';
import { keepParts, keysOf, listed } from '../parts.ts';
import type { Path, Test } from '../paths.ts';
import { boundsOfPoints } from './bounds.ts';
import { collatedPoints } from './collated-bounds.ts';
import { collating, equality } from './comparison.ts';
import type { Condition } from './filter.ts';
import { type FilterContext, leaf, not, type OperatorTable } from './operator.ts';
import { isOperators } from './operators.ts';
import { regexLeaf, regexTest } from './regex.ts';

export const membershipOperators: OperatorTable = {
  $in: (operand, path, context) => membership(operand, path, '$in', context),
  $nin: (operand, path, context) => not(membership(operand, path, '$nin', context)),
};

function membership(operand: Value, path: Path, operator: string, context: FilterContext): Condition {
  const { environment } = context;
  const { comparison = byBytes, statement } = environment;
  if (operand.type !== bsonTypes.array) throw new ServerError('BadValue', `${operator} needs an array`);
  const candidates = documentOf(operand);
  const { count, patterns, texts, missing } = candidatesOf(candidates, operator, comparison, statement);
  const only = candidates.first();
  if (only !== undefined && count === 1) {
    return isPattern(only) ? regexLeaf(path, only, environment) : equality(only, path, environment);
  }
  const known = { count, missing, texts };
  if (patterns > 0) return mixed(candidates, known, path, environment);
  if (texts) {
    const list = listed(candidates, 'a filter');
    const test = oneOfTexts(list, comparison, statement);
    return leaf('$in', path, test, context, { collated: collatedPoints(list, comparison) });
  }
  return leaf('$in', path, oneOf(candidates, known, statement), context, {
    bounds: boundsOfPoints(candidates),
    never: count === 0,
  });
}

/** What is known about the candidates in a list. */
interface Known {
  readonly count: number;
  /** True if one of the candidates is null, which also matches a missing value. */
  readonly missing: boolean;
  /** True if a collation affects one of the candidates. */
  readonly texts: boolean;
}

/** Checks each candidate. Does not keep a list of them, because there may be more than a million. */
function candidatesOf(
  candidates: Iterable<Value>,
  operator: string,
  comparison: Comparison,
  statement: Statement,
): Known & { readonly patterns: number } {
  let count = 0;
  let patterns = 0;
  let texts = false;
  let missing = false;
  for (const candidate of candidates) {
    statement.check();
    checkCandidate(candidate, operator);
    count++;
    if (isPattern(candidate)) patterns++;
    else if (collating(candidate, comparison) !== undefined) texts = true;
    if (candidate.type === bsonTypes.null) missing = true;
  }
  return { count, patterns, texts, missing };
}

/** Compiles a list with values and patterns; a value may match any of them. */
function mixed(candidates: Iterable<Value>, known: Known, path: Path, environment: Environment): Condition {
  const { comparison = byBytes, statement } = environment;
  const others: Value[] = [];
  const tests: Test[] = [];
  for (const candidate of candidates) {
    keepParts('a filter');
    if (isPattern(candidate)) {
      statement.checkNow();
      tests.push(regexTest(candidate, environment));
    } else others.push(candidate);
  }
  const isValue = known.texts
    ? oneOfTexts(others, comparison, statement)
    : oneOf(others, { ...known, count: others.length }, statement);
  const matchesOne = (value: Value | undefined) =>
    tests.some((test) => {
      statement.check();
      return test(value);
    });
  return leaf('$in', path, (value) => isValue(value) || matchesOne(value), { environment });
}

function isPattern({ type }: Value): boolean {
  return type === bsonTypes.regex;
}

function checkCandidate(candidate: Value, operator: string): void {
  if (candidate.type === bsonTypes.undefined) {
    throw new ServerError('BadValue', `${operator} cannot compare to undefined`);
  }
  if (isOperators(candidate)) {
    throw new ServerError('BadValue', `cannot nest $ under ${operator}`);
  }
}

/**
 * Tests membership under a collation that affects a candidate. Uses binary search, because the collation has no sort
 * keys.
 */
function oneOfTexts(candidates: readonly Value[], { compare }: Comparison, statement: Statement): Test {
  const sorted = candidates.toSorted(checking(statement, compare));
  const missing = candidates.some(({ type }) => type === bsonTypes.null);
  return (value) => {
    if (value === undefined) return missing;
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compare(value, sorted[middle] as Value);
      if (order === 0) return true;
      if (order < 0) high = middle;
      else low = middle + 1;
    }
    return false;
  };
}

/** Up to this number of candidates, comparing with each of them is faster than computing the key of the value. */
const FEW = 8;

function oneOf(candidates: Iterable<Value>, { count, missing }: Known, statement: Statement): Test {
  if (count <= FEW) {
    const few = [...candidates];
    return (value) =>
      value === undefined ? missing : few.some((candidate) => compareValues(value, candidate) === 0);
  }
  let keys: Set<string> | undefined;
  return (value) => {
    if (value === undefined) return missing;
    // The keys are computed on first use, because the test never runs if the index bounds are exact.
    keys ??= keysOf(candidates, keyText, 'a filter', statement);
    return keys.has(keyText(value));
  };
}
