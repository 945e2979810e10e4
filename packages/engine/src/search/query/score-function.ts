import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import type { Segment } from '../file/segment.ts';
import { numbersOf, type Rescore } from './columns.ts';
import { searchError } from './errors.ts';
import { numberText } from './explain-term.ts';
import type { Searching } from './searching.ts';
import { Spec } from './spec.ts';

/** A compiled score expression. It computes a value from a document and from the score that the operator gave it. */
interface Term {
  (segment: Segment): (score: number, doc: number) => number;
  /** Describes the expression, for explanations of scores. */
  readonly text: string;
}

/** The text by which explanations describe the score that the operator assigned. */
export const RELEVANCE = 'scores';

function termOf(text: string, make: (segment: Segment) => (score: number, doc: number) => number): Term {
  return Object.assign((segment: Segment) => make(segment), { text });
}

/** Compiles the expression in `score.function`. Negative results become zero. */
export function compileFunction(spec: Spec, search: Searching): Rescore {
  const term = compile(spec, search);
  return termOf(term.text, (segment) => {
    const own = term(segment);
    return (score, doc) => Math.max(0, own(score, doc)) || 0;
  });
}

function compile(spec: Spec, search: Searching): Term {
  search.clause();
  const name = spec.names[0];
  const make = name === undefined ? undefined : expressions[name];
  if (name === undefined || make === undefined || spec.names.length !== 1) {
    throw searchError(`"${spec.at}" must have exactly one of [${Object.keys(expressions).join(', ')}]`);
  }
  const term = make(spec, name, search);
  spec.finish();
  return term;
}

type MakeTerm = (spec: Spec, name: string, search: Searching) => Term;

const expressions: Readonly<Record<string, MakeTerm>> = {
  score(spec) {
    spec.oneOf('score', ['relevance']) ?? spec.required('score');
    return termOf(RELEVANCE, () => (score) => score);
  },
  constant(spec) {
    const value = spec.requiredNumber('constant');
    return termOf(`constant(${numberText(value)})`, () => () => value);
  },
  path: (spec) => pathTerm(spec.required('path'), spec.name('path')),
  add: (spec, name, search) => folded(spec, name, search, ' + ', (a, b) => a + b),
  multiply: (spec, name, search) => folded(spec, name, search, ' * ', (a, b) => a * b),
  log: (spec, name, search) => mapped(spec, name, search, (value) => Math.log10(value)),
  log1p: (spec, name, search) => mapped(spec, name, search, (value) => Math.log10(1 + value)),
  gauss(spec) {
    const gauss = spec.requiredDocument('gauss');
    const path = pathTerm(gauss.required('path'), gauss.name('path'));
    const origin = gauss.requiredNumber('origin');
    const scale = gauss.requiredNumber('scale', { above: 0 });
    const offset = gauss.number('offset', { min: 0 }) ?? 0;
    const decay = gauss.number('decay') ?? 0.5;
    gauss.finish();
    if (!(decay > 0 && decay < 1)) throw searchError(`"${gauss.at}.decay" must be between 0 and 1`);
    const variance = -(scale ** 2) / (2 * Math.log(decay));
    const distance = `max(0, |${path.text} - ${numberText(origin)}| - ${numberText(offset)})`;
    const text = `exp((${distance}^2) / 2 * (${numberText(scale)}^2 / 2 * ln(${numberText(decay)})))`;
    return termOf(text, (segment) => {
      const at = path(segment);
      return (score, doc) =>
        Math.exp(-(Math.max(0, Math.abs(at(score, doc) - origin) - offset) ** 2) / (2 * variance));
    });
  },
};

function folded(
  spec: Spec,
  name: string,
  search: Searching,
  sign: string,
  join: (a: number, b: number) => number,
): Term {
  const parts = spec.requiredDocuments(name);
  if (parts.length < 2) throw searchError(`"${spec.name(name)}" must have at least two expressions`);
  const terms = parts.map((part) => compile(part, search));
  return termOf(`(${terms.map(({ text }) => text).join(sign)})`, (segment) => {
    const all = terms.map((term) => term(segment));
    return (score, doc) => {
      search.spend(all.length);
      return all.map((one) => one(score, doc)).reduce(join);
    };
  });
}

function mapped(spec: Spec, name: string, search: Searching, change: (value: number) => number): Term {
  const inner = compile(spec.requiredDocument(name), search);
  return termOf(`${name}(${inner.text})`, (segment) => {
    const own = inner(segment);
    return (score, doc) => change(own(score, doc));
  });
}

/** Compiles a path, or a document with a path and a default value. */
function pathTerm(value: Value, name: string): Term {
  let [path, otherwise] = ['', 0];
  if (value.type === bsonTypes.string) path = textOf(value);
  else {
    const spec = value.type === bsonTypes.object ? new Spec(documentOf(value), name) : Spec.of(value, name);
    path = spec.requiredString('value');
    otherwise = spec.number('undefined') ?? 0;
    spec.finish();
  }
  return termOf(path, (segment) => {
    const column = numbersOf(segment, path);
    return (_score, doc) => (column?.has(doc) ? column.at(doc) : otherwise);
  });
}
