import { bsonTypes } from '../../bson/bson-types.ts';
import { findNul, readText } from '../../bson/bytes.ts';
import { compareValues } from '../../bson/compare.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { textOf, Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import type { Path, Test } from '../paths.ts';
import { compilePattern, type Matching, type Pattern } from '../patterns/pattern.ts';
import { PatternError } from '../patterns/pattern-error.ts';
import { type Bounds, boundsOfPoints, boundsOfTypes, intervalOfPrefix, unite } from './bounds.ts';
import type { Condition } from './filter.ts';
import { leaf, type OperatorTable } from './operator.ts';
import { prefixOf } from './regex-prefix.ts';

export const regexOperators: OperatorTable = {
  $regex: (operand, path, { environment }, spec) => compileRegexOperator(operand, path, spec, environment),
  $options: (_, path, __, spec) => {
    if (!spec.has('$regex')) throw new ServerError('BadValue', '$options needs a $regex');
    return { operator: '$options', leaf: { path, test: () => true }, matches: () => true };
  },
};

interface RegexParts {
  readonly pattern: string;
  readonly flags: string;
}

function compileRegexOperator(
  operand: Value,
  path: Path,
  spec: RawDocument,
  environment: Environment,
): Condition {
  const own = regexParts(operand);
  if (own === undefined) throw new ServerError('BadValue', '$regex has to be a string');
  const options = spec.get('$options');
  if (options === undefined) return patternLeaf(path, own, regexOf(own), environment);
  if (options.type !== bsonTypes.string) {
    throw new ServerError('BadValue', '$options has to be a string');
  }
  if (own.flags !== '') {
    const optionsFirst = spec.first()?.name === '$options';
    throw new ServerError(optionsFirst ? 51074 : 51075, 'options set in both $regex and $options');
  }
  const parts = { pattern: own.pattern, flags: textOf(options) };
  return patternLeaf(path, parts, regexOf(parts), environment);
}

/** Returns the pattern as a BSON value, which documents may contain. */
function regexOf({ pattern, flags }: RegexParts): Value {
  const bytes = Buffer.from(`${pattern}\0${[...flags].sort().join('')}\0`);
  return new Value(bsonTypes.regex, bytes, 0, bytes.length);
}

/** Returns the pattern and the flags of a regular expression, or of a string with a pattern. */
export function regexParts(value: Value): RegexParts | undefined {
  if (value.type === bsonTypes.string) return { pattern: textOf(value), flags: '' };
  if (value.type !== bsonTypes.regex) return undefined;
  const end = findNul(value.bytes, value.start);
  return {
    pattern: readText(value.bytes, value.start, end),
    flags: readText(value.bytes, end + 1, value.end - 1),
  };
}

/** Compiles a pattern that is used as a value: `{a: /x/}`, or in the list of `$in`. */
export function regexLeaf(path: Path, regex: Value, environment: Environment): Condition {
  return patternLeaf(path, regexParts(regex) as RegexParts, regex, environment);
}

function patternLeaf(path: Path, parts: RegexParts, written: Value, environment: Environment): Condition {
  return leaf(
    '$regex',
    path,
    patternTest(parts, written, environment),
    { environment },
    {
      bounds: boundsOfPattern(parts, written),
    },
  );
}

/** Returns the bounds of the texts that may match, and of values equal to the pattern itself. */
function boundsOfPattern(parts: RegexParts, written: Value): Bounds {
  const { text, isWhole } = prefixOf(parts);
  const texts =
    text === ''
      ? boundsOfTypes([bsonTypes.string], false)
      : { intervals: [intervalOfPrefix(text)], exact: isWhole };
  return unite(written.type === bsonTypes.regex ? [texts, boundsOfPoints([written])] : [texts]);
}

/** Matches texts by the pattern, and values equal to the pattern itself. */
export function regexTest(regex: Value, environment: Environment): Test {
  return patternTest(regexParts(regex) as RegexParts, regex, environment);
}

const backtracking: Matching = (pattern, flags, statement) => {
  const { regexp } = compilePatternOf(pattern, flags);
  return (text) => regexp.test(text, statement);
};

function patternTest(
  { pattern, flags }: RegexParts,
  written: Value,
  { matching = backtracking, statement }: Environment,
): Test {
  const matches = matching(pattern, flags, statement);
  return (value) => {
    if (value === undefined) return false;
    if (value.type === bsonTypes.string || value.type === bsonTypes.symbol) return matches(textOf(value));
    return value.type === bsonTypes.regex && compareValues(value, written) === 0;
  };
}

/** Throws the errors that filters report for an invalid pattern. */
export function compilePatternOf(pattern: string, flags: string): Pattern {
  if (pattern.includes('\0')) {
    throw new ServerError('BadValue', 'Regular expression cannot contain an embedded null byte');
  }
  const wrong = [...flags].find((flag) => !'imsxu'.includes(flag));
  if (wrong !== undefined) throw new ServerError(51108, `invalid flag in regex options: ${wrong}`);
  try {
    return compilePattern(pattern, flags);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new ServerError(51091, `Regular expression is invalid: ${error.message}`);
  }
}
