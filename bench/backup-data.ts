import type { Collection } from 'mongodb';

export const DOCUMENT_BYTES = 1_000;
const BATCH = 5_000;

export interface Doc {
  readonly _id: number;
  readonly text: string;
}

/** Inserts documents with a total size of this many megabytes. */
export function fill(documents: Collection<Doc>, megabytes: number): Promise<void> {
  return fillWith(documents, Math.ceil((megabytes * 1e6) / DOCUMENT_BYTES));
}

export async function fillWith(documents: Collection<Doc>, count: number): Promise<void> {
  for (let first = 0; first < count; first += BATCH) {
    const length = Math.min(BATCH, count - first);
    const batch = Array.from({ length }, (_, i) => ({
      _id: first + i,
      text: textOf(first + i, DOCUMENT_BYTES),
    }));
    await documents.insertMany(batch);
  }
}

/** Texts that compress to about a third, like those of typical applications. */
export function textOf(id: number, bytes: number): string {
  let state = id * 2_654_435_761 + 1;
  let text = '';
  while (text.length < bytes) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += `"field${state % 40}":"${(state >>> 4).toString(36)}",`;
  }
  return text;
}
