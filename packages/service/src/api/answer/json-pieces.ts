import { unmarked } from '@portolan/foundation/ordered-json';
import type { PlainObject } from '@portolan/foundation/plain-object';
import { WrittenJson } from '../written-json.ts';
import { pretty } from './pretty.ts';

/**
 * Maximum weight of a value that is serialized as a whole. A value has the weight 1, plus 1 for every 64 characters of
 * its text, plus the weights of the values in it.
 */
const LARGE = 1000;
const CHARACTERS = 64;

/**
 * Whether the weight of a value exceeds `LARGE`, or the value contains a `WrittenJson`. Visits only the first
 * thousand values.
 */
export function isLarge(value: unknown): boolean {
  return left(value, LARGE) < 0;
}

/** Returns the weight of a value, or more than `LARGE` if it is larger. */
export function weightOf(value: unknown): number {
  return LARGE - left(value, LARGE);
}

function left(value: unknown, most: number): number {
  if (typeof value === 'string') return most - 1 - value.length / CHARACTERS;
  if (typeof value !== 'object' || value === null) return most - 1;
  if (value instanceof WrittenJson) return -1;
  let rest = most - 1;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && rest >= 0; i++) rest = left(value[i], rest);
    return rest;
  }
  for (const name in value) {
    rest = left((value as PlainObject)[name], rest - name.length / CHARACTERS);
    if (rest < 0) break;
  }
  return rest;
}

type NameOf = (name: string) => string;

/**
 * Yields the JSON text of a value in pieces, each of which takes less than a millisecond, unless a single text is long.
 * With an indent, the text has the format of `pretty`.
 */
export function* jsonPieces(value: unknown, indent?: string, nameOf?: NameOf): Generator<string> {
  if (value instanceof WrittenJson) {
    if (indent === undefined) yield value.text;
    else yield* jsonPieces(value.parsed(), indent, unmarked);
  } else if (typeof value !== 'object' || value === null || !isLarge(value)) {
    yield indent === undefined ? JSON.stringify(value) : pretty(value, indent, nameOf);
  } else if (Array.isArray(value)) yield* entryPieces(value, indent, nameOf);
  else yield* fieldPieces(value as PlainObject, indent, nameOf);
}

function* entryPieces(entries: readonly unknown[], indent?: string, nameOf?: NameOf): Generator<string> {
  const [open, comma, close] = indent === undefined ? ['[', ',', ']'] : ['[ ', ', ', ' ]'];
  let before = open;
  for (const entry of entries) {
    yield before;
    yield* jsonPieces(entry ?? null, indent, nameOf);
    before = comma;
  }
  yield before === open ? `${open}${close.trim()}` : close;
}

function* fieldPieces(value: PlainObject, indent?: string, nameOf?: NameOf): Generator<string> {
  const inner = indent === undefined ? undefined : `${indent}  `;
  const [open, comma, colon, close] =
    inner === undefined ? ['{', ',', ':', '}'] : ['{\n', ',\n', ' : ', `\n${indent}}`];
  let before = open;
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    yield `${before}${inner ?? ''}${JSON.stringify(nameOf?.(name) ?? name)}${colon}`;
    yield* jsonPieces(field, inner, nameOf);
    before = comma;
  }
  if (before !== open) yield close;
  else yield inner === undefined ? '{}' : '{ }';
}
