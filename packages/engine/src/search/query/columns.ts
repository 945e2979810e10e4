import { passes } from '../../bson/turns.ts';
import type { Segment } from '../file/segment.ts';
import { keys } from '../mapping/field.ts';

/** Changes the score that an operator assigned to a document. */
export interface Rescore {
  (segment: Segment): (score: number, doc: number) => number;
  /** Describes the expression that computes the score, for explanations. */
  readonly text?: string;
  /** The factor, if each score is multiplied by the same number. */
  readonly boost?: number;
  /** The score, if all documents have the same score. */
  readonly constant?: number;
}

/** The first number at a path in each document. */
export interface NumberColumn {
  has(doc: number): boolean;
  at(doc: number): number;
}

export function numbersOf(segment: Segment, path: string): NumberColumn | undefined {
  return columnOf(segment, keys.number(path)) ?? columnOf(segment, keys.date(path));
}

export function columnOf(segment: Segment, field: string): NumberColumn | undefined {
  const points = segment.points(field);
  if (points === undefined) return undefined;
  passes(segment.size + points.docs.length);
  const values = new Float64Array(segment.size).fill(Number.NaN);
  for (let i = points.docs.length - 1; i >= 0; i--)
    values[points.docs[i] as number] = points.values[i] as number;
  return { has: (doc) => !Number.isNaN(values[doc]), at: (doc) => values[doc] as number };
}

/** Marks the documents that have an array of numbers or dates at a path. Returns undefined if there are none. */
export function listsAt(segment: Segment, path: string): Uint8Array | undefined {
  const docs = segment.postings(keys.listed, path)?.docs;
  if (docs === undefined) return undefined;
  passes(segment.size + docs.length);
  const lists = new Uint8Array(segment.size);
  for (const doc of docs) lists[doc] = 1;
  return lists;
}
