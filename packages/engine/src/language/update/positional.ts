import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type Environment, noEnvironment } from '../environment.ts';
import { checkAllowed } from '../filter/allowed.ts';
import { compileFilter } from '../filter/compile.ts';
import type { Condition } from '../filter/filter.ts';

/** Tests whether `$[]` or `$[name]` selects an array entry. */
export type EntryTest = (entry: Value) => boolean;

/** Parses `$[]` and `$[name]`; `name` is the text between the brackets. */
export function arrayPart(part: string): { readonly name: string } | undefined {
  const found = /^\$\[(.*)\]$/s.exec(part);
  return found === null ? undefined : { name: found[1] as string };
}

/** The array filters of an update by name. */
export class ArrayFilters {
  readonly #tests = new Map<string, EntryTest>();
  readonly #used = new Set<string>();

  constructor(filters: readonly RawDocument[], environment: Environment = noEnvironment) {
    for (const filter of filters) this.#add(filter, environment);
  }

  /** Returns the test for `$[]` or `$[name]`, or `undefined` for an ordinary field name. */
  testOf(part: string, path: string): EntryTest | undefined {
    const name = arrayPart(part)?.name;
    if (name === undefined) return undefined;
    if (name === '') return () => true;
    const test = this.#tests.get(name);
    if (test === undefined) {
      throw new ServerError('BadValue', `No array filter found for identifier '${name}' in path '${path}'`);
    }
    this.#used.add(name);
    return test;
  }

  /** Throws if there is a filter that no path uses. */
  checkUsed(): void {
    for (const name of this.#tests.keys()) {
      if (!this.#used.has(name)) {
        throw new ServerError(
          'FailedToParse',
          `The array filter for identifier '${name}' was not used in the update`,
        );
      }
    }
  }

  #add(filter: RawDocument, environment: Environment): void {
    checkAllowed(filter, true);
    const { root, matches } = compileFilter(filter, environment);
    const names = new Set(namesOf(root));
    const [name, other] = names;
    if (name === undefined) {
      throw new ServerError(
        'FailedToParse',
        'Cannot use an expression without a top-level field name in arrayFilters',
      );
    }
    if (other !== undefined) {
      throw new ServerError(
        'FailedToParse',
        `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${name}' and '${other}'`,
      );
    }
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) {
      throw new ServerError(
        'BadValue',
        'Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string ' +
          `beginning with a lowercase letter, found '${name}'`,
      );
    }
    if (this.#tests.has(name)) {
      throw new ServerError(
        'FailedToParse',
        `Found multiple array filters with the same top-level field name ${name}`,
      );
    }
    this.#tests.set(name, (entry) => matches(writeDocument((writer) => writer.field(name, entry))));
  }
}

/** Returns the first part of each path in a filter. */
function namesOf(condition: Condition): string[] {
  if (condition.leaf !== undefined) return [condition.leaf.path.parts[0]?.name ?? ''];
  return condition.children?.flatMap(namesOf) ?? [];
}

/** Replaces `$` in a path by the index of the matched entry. */
export function atPosition(path: string, position: number): string {
  return path
    .split('.')
    .map((part) => (part === '$' ? String(position) : part))
    .join('.');
}

export function noMatchedPosition(): ServerError {
  return new ServerError('BadValue', 'The positional operator did not find the match needed from the query.');
}
