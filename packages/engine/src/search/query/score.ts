import { numbersOf, type Rescore } from './columns.ts';
import { searchError } from './errors.ts';
import { explained, numberText } from './explain-term.ts';
import type { Explanation, Operator } from './operator.ts';
import { compileFunction, RELEVANCE } from './score-function.ts';
import type { Searching } from './searching.ts';
import type { Spec } from './spec.ts';
import { explainOf } from './terms.ts';

const usual = ['boost', 'constant', 'function'];

/**
 * Compiles the `score` option of an operator. Returns undefined if the option is absent. `embedded` is valid only for
 * the operator `embeddedDocument`.
 */
export function readScore(spec: Spec, operator: string, search: Searching): Rescore | undefined {
  const score = spec.document('score');
  const known = operator === 'embeddedDocument' ? [...usual, 'embedded'] : usual;
  return score && rescoreOf(score, known, search);
}

function rescoreOf(score: Spec, known: readonly string[], search: Searching): Rescore | undefined {
  const given = score.names.filter((name) => known.includes(name));
  if (given.length !== 1) throw searchError(`"${score.at}" must have exactly one of [${known.join(', ')}]`);
  const rescore = variants[given[0] as string]?.(score, search);
  score.finish();
  return rescore;
}

type Variant = (score: Spec, search: Searching) => Rescore | undefined;

const variants: Readonly<Record<string, Variant>> = {
  boost(score) {
    const boost = score.requiredDocument('boost');
    const value = boost.number('value', { above: 0 });
    const path = boost.string('path');
    const otherwise = boost.number('undefined', { min: 0 });
    boost.finish();
    if ((value === undefined) === (path === undefined)) {
      throw searchError(`"${boost.at}" must have exactly one of [value, path]`);
    }
    if (value !== undefined) {
      if (otherwise !== undefined) throw searchError(`"${boost.at}.undefined" requires "path"`);
      return boostOf(value);
    }
    return (segment) => {
      const column = numbersOf(segment, path as string);
      return (own, doc) => own * (column?.has(doc) ? column.at(doc) : (otherwise ?? 0));
    };
  },
  constant(score) {
    const constant = score.requiredDocument('constant');
    const value = constant.requiredNumber('value', { min: 0 });
    constant.finish();
    return Object.assign(() => () => value, { constant: value });
  },
  function(score, search) {
    return compileFunction(score.requiredDocument('function'), search);
  },
  /**
   * Compiles `outerScore`, which changes the score that the operator `embeddedDocument` returns. The field `aggregate`
   * says how to combine the scores of the embedded documents. The operator itself reads this field; this function only
   * accepts it.
   */
  embedded(score, search) {
    const embedded = score.requiredDocument('embedded');
    embedded.raw('aggregate');
    const outer = embedded.document('outerScore');
    embedded.finish();
    return outer && rescoreOf(outer, usual, search);
  },
};

/** Returns a function that multiplies scores by a factor. */
export function boostOf(boost: number): Rescore {
  return Object.assign(() => (own: number) => own * boost, { boost });
}

/** Wraps an operator so that its scores are changed. */
export function rescored(operator: Operator, rescore: Rescore | undefined): Operator {
  if (rescore === undefined) return operator;
  const boosted = rescore.boost === undefined ? undefined : operator.boosted?.(rescore.boost);
  if (boosted !== undefined) return boosted;
  return {
    searchedTerms: operator.searchedTerms,
    ...(operator.query === undefined ? {} : { query: operator.query }),
    hits(segment) {
      const hits = operator.hits(segment);
      hits.rescore(rescore(segment));
      return hits;
    },
    explain(segment, doc) {
      const inner = explainOf(operator, segment, doc);
      const value = rescore(segment)(inner.value, doc);
      const { query = '' } = operator;
      if (rescore.constant !== undefined && query !== '')
        return explained(value, `ConstantScore(${query})${boostText(value)}`);
      if (rescore.boost !== undefined && operator.explain === undefined)
        return explained(value, `${inner.description}${boostText(value)}`);
      if (rescore.text === undefined) return explained(value, 'score, computed from:', [inner]);
      const function_ = `FunctionScoreQuery(${query}, scored by ${rescore.text})`;
      return explained(value, `${function_} [BM25Similarity], result of:`, [
        rescore.text === RELEVANCE ? weightOf(inner, doc) : explained(value, rescore.text),
      ]);
    },
  };
}

function boostText(value: number): string {
  return value === 1 ? '' : `^${numberText(value)}`;
}

/** Describes the score of a term as the weight of the term in a document. */
function weightOf(inner: Explanation, doc: number): Explanation {
  const description = inner.description.replace(/^(.+) \[/u, `weight($1 in ${doc}) [`);
  return { ...inner, description };
}
