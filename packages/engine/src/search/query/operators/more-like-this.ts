import { bsonTypes } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { textOf } from '../../../bson/value.ts';
import { idf } from '../bm25.ts';
import { searchError } from '../errors.ts';
import type { OperatorTable } from '../operator.ts';
import { textFields } from '../paths.ts';
import type { Searching } from '../searching.ts';
import { anyOf, TermOperator } from '../terms.ts';

/**
 * Maximum number of terms that are taken from the given documents, and of words that are read per field, as in Lucene.
 */
const MAX_TERMS = 25;
const MAX_WORDS = 5_000;

/** Memory per collected word besides its characters, in bytes. */
const TERM_BYTES = 512;

/** Collected words by the name of the index field. */
type Gathered = Map<string, { words: number; readonly terms: Map<string, Gathering> }>;

interface Gathering {
  readonly field: string;
  readonly term: string;
  times: number;
}

export const moreLikeThisOperators: OperatorTable = {
  moreLikeThis(spec, { search, within, scope }) {
    if (within !== scope) throw searchError('"moreLikeThis" cannot be within "embeddedDocument"');
    const documents = spec.requiredDocuments('like');
    spec.finish();
    const found: Gathered = new Map();
    for (const { doc } of documents) gatherTerms(doc, '', search, found);
    const weighed = [...found.values()]
      .flatMap(({ terms }) => [...terms.values()])
      .map((one) => {
        const { documents: all } = search.statistics(one.field);
        return { ...one, weight: one.times * idf(search.term(one.field, one.term).documents, all) };
      });
    weighed.sort((a, b) => {
      search.check();
      return b.weight - a.weight;
    });
    return anyOf(weighed.slice(0, MAX_TERMS).map(({ field, term }) => new TermOperator(search, field, term)));
  },
};

function gatherTerms(doc: RawDocument, path: string, search: Searching, found: Gathered): void {
  for (const element of doc) {
    const own = path === '' ? element.name : `${path}.${element.name}`;
    if (element.type === bsonTypes.object) gatherTerms(documentOf(element), own, search, found);
    if (element.type === bsonTypes.array) {
      for (const entry of documentOf(element))
        if (entry.type === bsonTypes.string) gatherText(textOf(entry), own, search, found);
    }
    if (element.type === bsonTypes.string) gatherText(textOf(element), own, search, found);
  }
}

function gatherText(text: string, path: string, search: Searching, found: Gathered): void {
  for (const { key, mapping } of textFields([{ path }], search)) {
    if (mapping?.analyzer === undefined) continue;
    const own = found.get(key) ?? { words: 0, terms: new Map() };
    found.set(key, own);
    for (const tokens of own.words < MAX_WORDS ? search.tokens(mapping.analyzer, text) : []) {
      for (const { term } of tokens.slice(0, MAX_WORDS - own.words)) {
        const known = own.terms.get(term);
        if (known === undefined) {
          search.hold(TERM_BYTES + 2 * term.length);
          own.terms.set(term, { field: key, term, times: 1 });
        } else known.times++;
      }
      own.words += tokens.length;
      if (own.words >= MAX_WORDS) break;
    }
  }
}
