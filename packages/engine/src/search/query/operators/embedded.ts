import { passes } from '../../../bson/turns.ts';
import type { Segment } from '../../file/segment.ts';
import { searchError } from '../errors.ts';
import { Hits } from '../hits.ts';
import type { Operator, OperatorContext, OperatorTable } from '../operator.ts';
import type { Spec } from '../spec.ts';

type Aggregate = 'sum' | 'maximum' | 'minimum' | 'mean';

export const embeddedOperators: OperatorTable = {
  embeddedDocument(spec, context) {
    const path = spec.requiredString('path');
    const aggregate = aggregateOf(spec);
    const operator = context.compile(spec.requiredDocument('operator'), path);
    spec.finish();
    const { search, within } = context;
    if (search.plan !== undefined && search.mapping(path, 'embeddedDocuments') === undefined) {
      throw searchError(`"embeddedDocument" requires path "${path}" to be indexed as embeddedDocuments`);
    }
    if (within !== undefined && !path.startsWith(`${within}.`)) {
      throw searchError(`"${spec.name('path')}" must be within "${within}"`);
    }
    return toEnclosing(operator, path, aggregate, context);
  },
  /** Tests a document that encloses the returned embedded documents; requires `returnScope`. */
  hasAncestor(spec, context) {
    const path = spec.requiredString('ancestorPath');
    const operator = context.compile(spec.requiredDocument('operator'), path);
    spec.finish();
    const scope = scopeOf('hasAncestor', context);
    if (scope !== undefined && !scope.startsWith(`${path}.`)) {
      throw searchError(`"${spec.name('ancestorPath')}" must be around the path of "returnScope"`);
    }
    return toEmbedded(operator, path, context);
  },
  hasRoot(spec, context) {
    const operator = context.compile(spec.requiredDocument('operator'), undefined);
    spec.finish();
    scopeOf('hasRoot', context);
    return toEmbedded(operator, undefined, context);
  },
};

function scopeOf(name: string, { scope, search }: OperatorContext): string | undefined {
  if (scope === undefined && search.plan !== undefined) throw searchError(`"${name}" requires "returnScope"`);
  return scope;
}

function aggregateOf(spec: Spec): Aggregate {
  const embedded = spec.document('score')?.document('embedded');
  if (embedded === undefined) return 'sum';
  const aggregate = embedded.oneOf('aggregate', ['sum', 'maximum', 'minimum', 'mean']) ?? 'sum';
  embedded.raw('outerScore');
  embedded.finish();
  return aggregate;
}

/** Converts matches at a path to matches of the documents that enclose them. */
function toEnclosing(
  operator: Operator,
  path: string,
  aggregate: Aggregate,
  { search, within }: OperatorContext,
): Operator {
  return {
    searchedTerms: operator.searchedTerms,
    hits(segment) {
      const hits = new Hits(segment.size);
      const parents = segment.parents();
      if (parents === undefined) return hits;
      const inner = operator.hits(segment);
      inner.keep(search.domain(segment, path));
      const wanted = search.domain(segment, within);
      const counts = new Uint32Array(segment.size);
      passes(segment.size);
      for (let doc = 0; doc < segment.size; doc++) {
        if (inner.found[doc] === 0) continue;
        const around = enclosingOf(doc, parents, wanted);
        if (around >= 0) gather(hits, counts, around, inner.scores[doc] as number, aggregate);
      }
      if (aggregate === 'mean') hits.rescore((score, doc) => score / (counts[doc] as number));
      return hits;
    },
  };
}

function enclosingOf(doc: number, parents: Int32Array, wanted: Uint8Array): number {
  let at = parents[doc] as number;
  while (at >= 0 && wanted[at] === 0) at = parents[at] as number;
  return at;
}

function gather(hits: Hits, counts: Uint32Array, doc: number, score: number, aggregate: Aggregate): void {
  const first = counts[doc] === 0;
  counts[doc] = (counts[doc] as number) + 1;
  const before = hits.scores[doc] as number;
  if (first || (aggregate === 'maximum' && score > before) || (aggregate === 'minimum' && score < before))
    hits.set(doc, score);
  else if (aggregate === 'sum' || aggregate === 'mean') hits.set(doc, before + score);
}

/** Converts matches of enclosing documents to matches of the documents embedded in them. */
function toEmbedded(
  operator: Operator,
  path: string | undefined,
  { search, within }: OperatorContext,
): Operator {
  return {
    searchedTerms: operator.searchedTerms,
    hits(segment: Segment) {
      const hits = new Hits(segment.size);
      const parents = segment.parents();
      if (parents === undefined) return hits;
      const outer = operator.hits(segment);
      outer.keep(search.domain(segment, path));
      const wanted = search.domain(segment, within);
      passes(segment.size);
      for (let doc = 0; doc < segment.size; doc++) {
        if (wanted[doc] === 0) continue;
        for (let at = parents[doc] as number; at >= 0; at = parents[at] as number) {
          if (outer.found[at] === 1) {
            hits.set(doc, outer.scores[at] as number);
            break;
          }
        }
      }
      return hits;
    },
  };
}
