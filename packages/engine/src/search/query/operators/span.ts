import type { Rescore } from '../columns.ts';
import { searchError } from '../errors.ts';
import type { OperatorContext, OperatorTable } from '../operator.ts';
import { pathsOf, requirePositions, textFields } from '../paths.ts';
import { readScore, rescored } from '../score.ts';
import { apartFrom, containing, within } from '../span-places.ts';
import { eitherOf, filtered, near, type SpanSource, spanOperator, termSpans } from '../spans.ts';
import type { Spec } from '../spec.ts';
import { MAX_CLAUSES, tooManyClauses } from '../terms.ts';

export const spanOperators: OperatorTable = {
  span(spec, context) {
    const { source, rescore } = scoredSource(spec, context);
    return rescored(spanOperator(source, context.search), rescore);
  },
};

type MakeSource = (spec: Spec, context: OperatorContext) => SpanSource;

/** Reads a span operator within another one. Its `score` is validated, but only that of the outermost operator counts. */
function sourceOf(spec: Spec, context: OperatorContext): SpanSource {
  return scoredSource(spec, context).source;
}

/** Reads the only span operator that a document contains, and its `score`. */
function scoredSource(
  spec: Spec,
  context: OperatorContext,
): { readonly source: SpanSource; readonly rescore: Rescore | undefined } {
  const named = spec.names.filter((name) => Object.hasOwn(sources, name));
  const [name] = named;
  if (name === undefined || named.length !== 1) {
    throw searchError(`"${spec.at}" must have exactly one of [${Object.keys(sources).join(', ')}]`);
  }
  const inner = spec.requiredDocument(name);
  const source = (sources[name] as MakeSource)(inner, context);
  const rescore = readScore(inner, 'span', context.search);
  inner.finish();
  spec.finish();
  return { source, rescore };
}

const sources: Readonly<Record<string, MakeSource>> = {
  term(spec, { search }) {
    const fields = textFields(pathsOf(spec), search);
    const queries = spec.strings('query');
    const found = fields.flatMap((field) => {
      requirePositions(field);
      // A query is one term even if it has several words.
      return queries.map((query) => termSpans(search, field, search.normalize(field.mapping, query)));
    });
    if (found.length > MAX_CLAUSES) throw tooManyClauses();
    return eitherOf(search, found);
  },
  first(spec, context) {
    const operator = sourceOf(spec.requiredDocument('operator'), context);
    const end = spec.int('endPositionLte', { min: 1 }) ?? 3;
    const query = `spanFirst(${operator.query}, ${end})`;
    return filtered(context.search, query, operator, () => (span) => span.end <= end);
  },
  near(spec, context) {
    const clauses = spec.requiredDocuments('clauses').map((clause) => sourceOf(clause, context));
    const slop = spec.int('slop', { min: 0 }) ?? 0;
    const inOrder = spec.bool('inOrder') ?? false;
    return near(context.search, clauses, slop, inOrder);
  },
  or(spec, context) {
    return eitherOf(
      context.search,
      spec.requiredDocuments('clauses').map((clause) => sourceOf(clause, context)),
    );
  },
  subtract(spec, context) {
    const include = sourceOf(spec.requiredDocument('include'), context);
    const exclude = sourceOf(spec.requiredDocument('exclude'), context);
    const query = `spanNot(${include.query}, ${exclude.query}, 0, 0)`;
    return filtered(context.search, query, include, apartFrom, exclude);
  },
  contains(spec, context) {
    const little = sourceOf(spec.requiredDocument('little'), context);
    const big = sourceOf(spec.requiredDocument('big'), context);
    spec.required('spanToReturn');
    const inner = spec.oneOf('spanToReturn', ['inner', 'outer']) === 'inner';
    const [kept, other] = inner ? [little, big] : [big, little];
    const query = inner
      ? `SpanWithin(${little.query}, ${big.query})`
      : `SpanContaining(${big.query}, ${little.query})`;
    return filtered(context.search, query, kept, inner ? within : containing, other);
  },
};
