import { bsonTypes } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { textOf } from '../../../bson/value.ts';
import { idf } from '../bm25.ts';
import type { OperatorTable } from '../operator.ts';
import { textFields } from '../paths.ts';
import type { Searching } from '../searching.ts';
import { anyOf, TermOperator } from '../terms.ts';

/** The terms of the given documents that tell most, and the words of a text that are looked at: as many as Lucene takes. */
const MOST_TERMS = 25;
const MOST_WORDS = 5_000;

export const moreLikeThisOperators: OperatorTable = {
  moreLikeThis(spec, { search }) {
    const documents = spec.requiredDocuments('like');
    spec.finish();
    const found = new Map<string, { field: string; term: string; times: number }>();
    for (const { doc } of documents) gatherTerms(doc, '', search, found);
    const weighed = [...found.values()].map((one) => {
      const { documents: all } = search.statistics(one.field);
      return { ...one, weight: one.times * idf(search.term(one.field, one.term).documents, all) };
    });
    weighed.sort((a, b) => b.weight - a.weight);
    return anyOf(
      weighed.slice(0, MOST_TERMS).map(({ field, term }) => new TermOperator(search, field, term)),
    );
  },
};

function gatherTerms(
  doc: RawDocument,
  path: string,
  search: Searching,
  found: Map<string, { field: string; term: string; times: number }>,
): void {
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

function gatherText(
  text: string,
  path: string,
  search: Searching,
  found: Map<string, { field: string; term: string; times: number }>,
): void {
  for (const { key, mapping } of textFields([{ path }], search)) {
    if (mapping === undefined) continue;
    for (const { term } of search.analyzer(mapping.analyzer)(text).slice(0, MOST_WORDS)) {
      search.check();
      const name = `${key}\0${term}`;
      const known = found.get(name);
      if (known === undefined) found.set(name, { field: key, term, times: 1 });
      else known.times++;
    }
  }
}
