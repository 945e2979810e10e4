import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { isOperator } from './compile.ts';
import { searchError } from './errors.ts';
import { pathsOf, type SearchPath } from './paths.ts';
import { readSort, type SearchSort } from './sort.ts';
import { Spec } from './spec.ts';

/** The operator and the options of a search. */
export interface SearchOptions {
  readonly index: string;
  readonly count: { readonly type: 'lowerBound' | 'total' };
  readonly highlight: HighlightOptions | undefined;
  readonly sort: SearchSort | undefined;
  readonly storedSource: boolean;
  /** The path of the embedded documents that are returned in place of the enclosing documents. */
  readonly scope: string | undefined;
  readonly after: string | undefined;
  readonly before: string | undefined;
  readonly detailed: boolean;
  /** A document with the operator as its only field, such as `{ text: {…} }`, from the stage or `facet.operator`. */
  readonly operator: Spec | undefined;
  readonly facets: Spec | undefined;
}

export interface HighlightOptions {
  readonly paths: readonly SearchPath[];
  readonly maxChars: number;
  readonly maxPassages: number;
}

export function readOptions(doc: RawDocument): SearchOptions {
  const spec = new Spec(doc, '');
  const [operator, facets] = operatorOf(spec);
  const index = spec.string('index') ?? 'default';
  if (index === '') throw searchError('"index" cannot be empty');
  const highlight = highlightOf(spec);
  const sort = spec.document('sort');
  const storedSource = spec.bool('returnStoredSource') ?? false;
  const scope = scopeOf(spec, storedSource);
  spec.bool('concurrent');
  const detailed = spec.bool('scoreDetails') ?? false;
  const [after, before] = [spec.string('searchAfter'), spec.string('searchBefore')];
  if (after !== undefined && before !== undefined) {
    throw searchError('only one of "searchAfter" and "searchBefore" may be present');
  }
  readTracking(spec);
  readNodePreference(spec);
  const count = countOf(spec);
  spec.finish();
  checkVectors(spec, operator, facets);
  return {
    index,
    count,
    highlight,
    sort: sort && readSort(sort),
    storedSource,
    scope,
    after,
    before,
    detailed,
    operator,
    facets,
  };
}

/** Returns the operator, and the facets if the search is a collector. A collector may contain at most one operator. */
function operatorOf(spec: Spec): readonly [operator: Spec | undefined, facets: Spec | undefined] {
  const names = spec.names.filter((name) => isOperator(name) || name === 'facet' || name === 'search');
  const [name] = names;
  if (name === undefined || name === 'search') throw searchError('an operator or a collector is required');
  if (names.length > 1) throw searchError('only one operator or collector may be present');
  const value = spec.required(name);
  if (name !== 'facet') return [single(name, value), undefined];
  const facet = Spec.of(value, 'facet');
  const operator = facet.document('operator');
  const facets = facet.requiredDocument('facets');
  facet.finish();
  if (operator !== undefined && operator.names.length === 0)
    throw searchError('"facet.operator" cannot be empty');
  return [operator, facets];
}

/** Options that cannot be combined with an operator on vectors. */
const withoutVectors: Readonly<Record<string, readonly string[]>> = {
  vectorSearch: ['highlight', 'sort', 'searchAfter', 'searchBefore'],
  knnBeta: ['sort'],
};

function checkVectors(spec: Spec, operator: Spec | undefined, facets: Spec | undefined): void {
  const name = operator?.names[0] ?? '';
  if (name === 'vectorSearch' && facets !== undefined)
    throw searchError('"vectorSearch" cannot be in "facet"');
  for (const option of withoutVectors[name] ?? []) {
    if (spec.value(option) !== undefined) throw searchError(`"${option}" cannot be set with "${name}"`);
  }
}

/** Creates a document with a single field. */
function single(name: string, value: Value): Spec {
  return new Spec(
    writeDocument((writer) => writer.field(name, value)),
    '',
  );
}

function countOf(spec: Spec): SearchOptions['count'] {
  const count = spec.document('count');
  if (count === undefined) return { type: 'lowerBound' };
  const type = count.oneOf('type', ['lowerBound', 'total']) ?? 'lowerBound';
  count.int('threshold', { min: 0 });
  count.finish();
  return { type };
}

function highlightOf(spec: Spec): HighlightOptions | undefined {
  const highlight = spec.document('highlight');
  if (highlight === undefined) return undefined;
  const paths = pathsOf(highlight);
  const maxChars = highlight.int('maxCharsToExamine', { min: 1 }) ?? 500_000;
  const maxPassages = highlight.int('maxNumPassages', { min: 1 }) ?? 5;
  highlight.finish();
  return { paths, maxChars, maxPassages };
}

function scopeOf(spec: Spec, storedSource: boolean): string | undefined {
  const scope = spec.document('returnScope');
  if (scope === undefined) return undefined;
  const path = scope.requiredString('path');
  scope.finish();
  if (!storedSource) throw searchError('"returnScope" requires "returnStoredSource" to be true');
  return path;
}

function readTracking(spec: Spec): void {
  const tracking = spec.document('tracking');
  if (tracking === undefined) return;
  tracking.requiredString('searchTerms');
  tracking.finish();
}

/** Validates the preference for a search node, which has no effect here. */
export function readNodePreference(spec: Spec): void {
  const preference = spec.document('searchNodePreference');
  if (preference === undefined) return;
  preference.requiredString('key');
  preference.finish();
}
