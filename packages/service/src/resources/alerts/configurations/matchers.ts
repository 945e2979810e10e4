import { createRequire } from 'node:module';
import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { expandedSize, isCompilable } from '@portolan/foundation/pattern-size';
import type * as re2js from 're2js';
import { generalFaults, violation } from '../../../api/faults.ts';
import { eventKindOf, hostTypes, nodeTypes } from '../catalogue/event-kinds.ts';
import type { Matcher } from './schema.ts';

let library: typeof re2js | undefined;

const patterns = new BoundedCache<string, re2js.RE2JS>({
  // Number of cached patterns. The cache is needed because each evaluation of the alerts matches the patterns of all
  // configurations against all nodes.
  entries: 2000,
  // Total number of characters of cached patterns. A compiled pattern takes some hundred bytes per character.
  weight: 400_000,
  weigh: (_, pattern) => expandedSize(pattern),
});

/**
 * Compiles a pattern with a library that matches in linear time. The library is loaded on first use, since loading
 * takes 15 ms and 6 MB.
 */
function compiled(pattern: string): re2js.RE2JS {
  return patterns.of(pattern, compile);
}

function compile(pattern: string): re2js.RE2JS {
  library ??= createRequire(import.meta.url)('re2js') as typeof re2js;
  return library.RE2JS.compile(pattern);
}

/** The permitted values of each matcher field that has a fixed set of values. */
const closedFields: Readonly<Record<string, readonly string[]>> = {
  PLATFORM_NODE_TYPE: nodeTypes,
  TYPE_NAME: hostTypes,
};

/** Throws for a field that the targets of the event type do not have, and for a value that the field cannot have. */
export function checkMatchers(eventType: string, matchers: readonly Matcher[]): void {
  const fields = eventKindOf(eventType)?.matchers;
  for (const [place, { fieldName, operator, value }] of matchers.entries()) {
    const path = `matchers.${place}`;
    if (fields !== undefined && !fields.includes(fieldName))
      throw generalFaults
        .INVALID_ENUM_VALUE(fieldName)
        .at(`${path}.fieldName`, `must be one of ${fields.join(', ')}`);
    const isWhole = operator === 'EQUALS' || operator === 'NOT_EQUALS';
    const known = closedFields[fieldName];
    if (known && isWhole && !known.includes(value))
      throw generalFaults.INVALID_ENUM_VALUE(value).at(`${path}.value`, `must be one of ${known.join(', ')}`);
    if (operator === 'REGEX') checkPattern(value, `${path}.value`);
  }
}

function checkPattern(pattern: string, path: string): void {
  if (!isCompilable(pattern)) throw violation(path, 'is too large after expanding its repetitions');
  try {
    compiled(pattern);
  } catch (error) {
    throw violation(path, `is not a regular expression: ${(error as Error).message}`);
  }
}

type Test = (held: string, value: string) => boolean;

const tests: Readonly<Record<Matcher['operator'], Test>> = {
  EQUALS: (held, value) => held === value,
  NOT_EQUALS: (held, value) => held !== value,
  CONTAINS: (held, value) => held.includes(value),
  NOT_CONTAINS: (held, value) => !held.includes(value),
  STARTS_WITH: (held, value) => held.startsWith(value),
  ENDS_WITH: (held, value) => held.endsWith(value),
  REGEX: (held, value) => compiled(value).matcher(held).find(),
};

/**
 * Whether a target matches all matchers of a configuration. A matcher on a field that the target lacks does not match.
 */
export function isMatched(
  matchers: readonly Matcher[],
  target: Readonly<Record<string, string | undefined>>,
): boolean {
  return matchers.every(({ fieldName, operator, value }) => {
    const held = target[fieldName];
    return held !== undefined && tests[operator](held, value);
  });
}
