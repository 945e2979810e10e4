import { passes } from '../../../bson/turns.ts';
import type { Segment } from '../../file/segment.ts';
import { searchError } from '../errors.ts';
import { explained } from '../explain-term.ts';
import { Hits, ScoreSums } from '../hits.ts';
import { isInside } from '../levels.ts';
import type { Explanation, Operator, OperatorContext, OperatorTable } from '../operator.ts';
import type { Spec } from '../spec.ts';
import { explainOf } from '../terms.ts';

type Aggregate = 'sum' | 'maximum' | 'minimum' | 'mean';

export const embeddedOperators: OperatorTable = {
  embeddedDocument(spec, context) {
    const path = spec.requiredString('path');
    const aggregate = aggregateOf(spec);
    const { within, source } = context;
    if (within !== undefined && !isInside(path, within)) {
      throw searchError(
        `embeddedDocument operator path '${path}' must be a descendant of ${source} '${within}'`,
      );
    }
    const level = { within: path, source: 'embeddedDocument.path' };
    const operator = context.compile(spec.requiredDocument('operator'), level);
    spec.finish();
    requireEmbedded('embeddedDocument', path, context);
    return toEnclosing(operator, path, aggregate, context);
  },
  /** Tests a document that encloses the returned embedded documents; requires `returnScope`. */
  hasAncestor(spec, context) {
    const path = spec.requiredString('ancestorPath');
    const { within, source } = context;
    if (source === ANCESTOR) throw searchError('"hasAncestor" cannot be within "hasAncestor"');
    const operator = context.compile(spec.requiredDocument('operator'), { within: path, source: ANCESTOR });
    spec.finish();
    requireScope('hasAncestor', context);
    if (within !== undefined && !isInside(within, path)) {
      throw searchError(`hasAncestor.ancestorPath '${path}' must be a parent of ${source} '${within}'`);
    }
    requireEmbedded('hasAncestor', path, context);
    return toEmbedded(operator, path, context);
  },
  hasRoot(spec, context) {
    const operator = context.compile(spec.requiredDocument('operator'), { within: undefined, source: '' });
    spec.finish();
    requireScope('hasRoot', context);
    return toEmbedded(operator, undefined, context);
  },
};

const ANCESTOR = 'hasAncestor.ancestorPath';

function requireScope(name: string, { scope, search }: OperatorContext): void {
  if (scope === undefined && search.plan !== undefined) throw searchError(`"${name}" requires "returnScope"`);
}

function requireEmbedded(name: string, path: string, { search }: OperatorContext): void {
  if (search.plan === undefined || search.isEmbedded(path)) return;
  throw searchError(`"${name}" requires path "${path}" to be indexed as embeddedDocuments`);
}

function aggregateOf(spec: Spec): Aggregate {
  const embedded = spec.document('score')?.document('embedded');
  if (embedded === undefined) return 'sum';
  const aggregate = embedded.oneOf('aggregate', ['sum', 'maximum', 'minimum', 'mean']) ?? 'sum';
  embedded.raw('outerScore');
  embedded.finish();
  return aggregate;
}

/** Converts matches of the embedded documents at a path to matches of the documents that contain them. */
function toEnclosing(
  operator: Operator,
  path: string,
  aggregate: Aggregate,
  { search, within }: OperatorContext,
): Operator {
  const made: Operator = {
    searchedTerms: operator.searchedTerms,
    hits(segment) {
      const sums = new ScoreSums(segment.size);
      const parents = segment.parents();
      if (parents === undefined) return Hits.none(segment.size);
      const inner = operator.hits(segment);
      inner.keep(search.domain(segment, path));
      const wanted = search.domain(segment, within);
      const counts = new Uint32Array(segment.size);
      passes(segment.size);
      for (let doc = 0; doc < segment.size; doc++) {
        if (inner.found[doc] === 0) continue;
        const around = enclosingOf(doc, parents, wanted);
        if (around >= 0) gather(sums, counts, around, inner.scores[doc] as number, aggregate);
      }
      if (aggregate === 'mean') sums.divideBy(counts);
      return sums.toHits();
    },
    explain: (segment, doc) => explainEnclosing(hitsIn(segment), operator, path, { segment, doc }),
  };
  // Cache the hits of each segment, because the explanation of each result needs them.
  const hitsIn = (segment: Segment): BothHits =>
    search.onceFor(made, `hits ${segment.number}`, () => {
      const inner = operator.hits(segment);
      inner.keep(search.domain(segment, path));
      return { outer: made.hits(segment), inner };
    });
  return made;
}

interface BothHits {
  readonly outer: Hits;
  readonly inner: Hits;
}

/** Explains the score of an enclosing document by its embedded document with the highest score. */
function explainEnclosing(
  { outer, inner }: BothHits,
  operator: Operator,
  path: string,
  { segment, doc }: { segment: Segment; doc: number },
): Explanation {
  const value = outer.scores[doc] ?? 0;
  const parents = segment.parents();
  const around = (at: number): boolean => at === doc || (at >= 0 && around(parents?.[at] ?? -1));
  const children: number[] = [];
  for (let at = doc + 1; at < segment.size && around(parents?.[at] ?? -1); at++) children.push(at);
  const found = children.filter((at) => inner.found[at] === 1);
  const best = found.toSorted((a, b) => (inner.scores[b] as number) - (inner.scores[a] as number))[0];
  const text = `Score based on ${found.length} child docs in range from ${children[0] ?? doc} to ${children.at(-1) ?? doc}, best match:`;
  if (best === undefined) return explained(value, text);
  const explanation = explainOf(operator, segment, best);
  const description = explanation.description.replace(/^\$/u, `$$embedded:${path.length}/${path}/$$`);
  return explained(value, text, [{ ...explanation, description }]);
}

function enclosingOf(doc: number, parents: Int32Array, wanted: Uint8Array): number {
  let at = parents[doc] as number;
  while (at >= 0 && wanted[at] === 0) at = parents[at] as number;
  return at;
}

function gather(
  sums: ScoreSums,
  counts: Uint32Array,
  doc: number,
  score: number,
  aggregate: Aggregate,
): void {
  const first = counts[doc] === 0;
  counts[doc] = (counts[doc] as number) + 1;
  const before = sums.scores[doc] as number;
  if (first || aggregate === 'sum' || aggregate === 'mean') sums.add(doc, score);
  else sums.scores[doc] = aggregate === 'maximum' ? Math.max(before, score) : Math.min(before, score);
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
