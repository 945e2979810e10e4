import { createRequire } from 'node:module';
import { expandedSize, isCompilable } from '@portolan/foundation/pattern-size';
import { errorMessage } from '@portolan/foundation/thrown';
import { SearchDefinitionError } from './error.ts';

type Engine = typeof import('re2js');

let engine: Engine | undefined;

/** Returns RE2, loaded on first use. Patterns come from users, and RE2 takes linear time. */
export function patternEngine(): Engine['RE2JS'] {
  engine ??= createRequire(import.meta.url)('re2js') as Engine;
  return engine.RE2JS;
}

/**
 * Maximum total size of the patterns of an index, in characters after expanding their repetitions. The limit is needed
 * because the service compiles patterns on its only thread. Compiling takes up to 5 µs per character.
 */
const MAX_PATTERNS = 15_000;

/**
 * Throws if the custom analyzers of an index have too many or too long patterns. Called before any pattern is compiled.
 */
export function checkPatterns(analyzers: readonly unknown[], path: string): void {
  let size = 0;
  for (const pattern of analyzers.flatMap(patternsIn)) {
    size += expandedSize(pattern);
    if (size <= MAX_PATTERNS) continue;
    throw new SearchDefinitionError(path, `have patterns of more than ${MAX_PATTERNS} characters together`);
  }
}

/**
 * Returns the texts that may be patterns. Only texts at the nesting depth of the options of tokenizers and token
 * filters are included.
 */
function patternsIn(analyzer: unknown): string[] {
  const { tokenizer, tokenFilters } = (analyzer ?? {}) as Readonly<Record<string, unknown>>;
  const parts: readonly unknown[] = [tokenizer, ...(Array.isArray(tokenFilters) ? tokenFilters : [])];
  return parts.flatMap((part) => {
    const { pattern } = (part ?? {}) as Readonly<Record<string, unknown>>;
    return typeof pattern === 'string' ? [pattern] : [];
  });
}

/** Maximum number of lookaheads of a pattern. */
const MAX_LOOKAHEADS = 10;

/** A condition on a text: it must begin with a pattern, or it must not. */
interface Lookahead {
  readonly pattern: string;
  readonly holds: boolean;
}

/**
 * Removes the lookaheads after a leading `^` from a pattern and returns them separately, because RE2 has no lookaheads.
 * Such a lookahead is a condition on the beginning of the whole text.
 */
export function splitLookaheads(pattern: string): {
  readonly rest: string;
  readonly conditions: readonly Lookahead[];
} {
  const conditions: Lookahead[] = [];
  let rest = pattern;
  while (conditions.length < MAX_LOOKAHEADS && /^\^\(\?[=!]/.test(rest)) {
    const end = endOfGroup(rest, 1);
    if (end === -1) break;
    conditions.push({ pattern: `^(?:${rest.slice(4, end)})`, holds: rest[3] === '=' });
    rest = `^${rest.slice(end + 1)}`;
  }
  // If the pattern has alternatives, return it unchanged, so that RE2 rejects its lookaheads. In `^(?!a)b|c`, the
  // condition applies to `b` but not to `c`.
  return conditions.length > 0 && hasAlternatives(rest)
    ? { rest: pattern, conditions: [] }
    : { rest, conditions };
}

/** Returns the index of the parenthesis that closes a group, or -1. The group starts at the given index. */
function endOfGroup(pattern: string, start: number): number {
  for (const { at, depth } of plainCharacters(pattern.slice(start)))
    if (at > 0 && depth === 0) return start + at;
  return -1;
}

function hasAlternatives(pattern: string): boolean {
  for (const { character, depth } of plainCharacters(pattern))
    if (depth === 0 && character === '|') return true;
  return false;
}

/** Yields the characters outside escapes and classes, each with the number of groups that are open after it. */
function* plainCharacters(pattern: string) {
  let [depth, inClass] = [0, false];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] as string;
    if (character === '\\') at++;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else {
      if (character === '(') depth++;
      if (character === ')') depth--;
      yield { at, character, depth };
    }
  }
}

/** Throws if a pattern cannot be compiled. `lookaheads` is true if it may have lookaheads after a leading `^`. */
export function checkPattern(pattern: string, path: string, lookaheads = false): void {
  if (!isCompilable(pattern))
    throw new SearchDefinitionError(path, 'is too large once its repetitions are written out');
  try {
    const { rest, conditions } = lookaheads ? splitLookaheads(pattern) : { rest: pattern, conditions: [] };
    for (const part of [rest, ...conditions.map((one) => one.pattern)]) patternEngine().compile(part);
  } catch (cause) {
    throw new SearchDefinitionError(path, `is not a regular expression of RE2: ${errorMessage(cause)}`);
  }
}
