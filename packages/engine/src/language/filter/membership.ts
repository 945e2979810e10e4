import { bsonTypes } from '../../bson/bson-types.ts';
import { byBytes, type Comparison } from '../../bson/collation/comparison.ts';
import { compareValues } from '../../bson/compare.ts';
import { keyText } from '../../bson/keys.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Environment } from '../environment.ts';
import { checking, entriesIn } from '../expression/entries.ts';
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

function membership(operand: Value, path: Path, operator: string, { environment }: FilterContext): Condition {
  const { comparison = byBytes, statement } = environment;
  if (operand.type !== bsonTypes.array) throw new ServerError('BadValue', `${operator} needs an array`);
  const candidates = entriesIn(operand, statement);
  for (const candidate of candidates) {
    statement.check();
    checkCandidate(candidate, operator);
  }
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0) {
    return isPattern(only) ? regexLeaf(path, only, environment) : equality(only, path, environment);
  }
  if (candidates.some(isPattern)) return mixed(candidates, path, environment);
  const collated = oneOfTexts(candidates, comparison, statement);
  if (collated !== undefined)
    return leaf('$in', path, collated, { environment }, { collated: collatedPoints(candidates, comparison) });
  return leaf(
    '$in',
    path,
    oneOf(candidates, statement),
    { environment },
    { bounds: boundsOfPoints(candidates, statement) },
  );
}

/** Compiles a list with values and patterns; a value may match any of them. */
function mixed(candidates: readonly Value[], path: Path, environment: Environment): Condition {
  const { comparison = byBytes, statement } = environment;
  const others = candidates.filter((candidate) => !isPattern(candidate));
  const values = oneOfTexts(others, comparison, statement) ?? oneOf(others, statement);
  const tests = candidates.filter(isPattern).map((pattern) => {
    statement.checkNow();
    return regexTest(pattern, environment);
  });
  const matchesOne = (value: Value | undefined) =>
    tests.some((test) => {
      statement.check();
      return test(value);
    });
  return leaf('$in', path, (value) => values(value) || matchesOne(value), { environment });
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
function oneOfTexts(
  candidates: readonly Value[],
  comparison: Comparison,
  statement: Statement,
): Test | undefined {
  if (!candidates.some((candidate) => collating(candidate, comparison))) return undefined;
  const { compare } = comparison;
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

/** Up to this number, comparing with each candidate is faster than computing the key of the value. */
const FEW = 8;

/** A candidate of null also matches a missing value. */
function oneOf(candidates: readonly Value[], statement: Statement): Test {
  const missing = candidates.some(({ type }) => type === bsonTypes.null);
  if (candidates.length <= FEW) {
    return (value) =>
      value === undefined ? missing : candidates.some((candidate) => compareValues(value, candidate) === 0);
  }
  let keys: Set<string> | undefined;
  return (value) => {
    if (value === undefined) return missing;
    statement.check();
    // The keys are computed on first use, because the test never runs if the index bounds are exact.
    keys ??= keysOf(candidates, statement);
    return keys.has(keyText(value));
  };
}

function keysOf(candidates: readonly Value[], statement: Statement): Set<string> {
  const keys = new Set<string>();
  for (const candidate of candidates) {
    statement.check();
    keys.add(keyText(candidate));
  }
  return keys;
}
