import type { PlainObject } from '@portolan/foundation/plain-object';
import { ObjectId } from 'bson';

/** This file has what generates the documents of the sample data. */

export type SampleDocument = { readonly _id: ObjectId | string } & PlainObject;

export interface SampleCollection {
  readonly database: string;
  readonly collection: string;
  readonly documents: readonly SampleDocument[];
  readonly indexes?: ReadonlyArray<{
    readonly name: string;
    readonly key: PlainObject;
  }>;
}

const EPOCH = Date.UTC(2020, 0, 1);
const HOUR_MS = 3_600_000;

/**
 * Returns a pseudo-random number from 0 to `below - 1`, which depends only on `row` and `place`. The function is the
 * mixing step of splitmix32.
 */
export function pick(row: number, place: number, below: number): number {
  let mixed = Math.imul(row * 31 + place + 1, 0x9e3779b9) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 0;
  return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
}

export function oneOf<T>(list: readonly T[], row: number, place: number): T {
  const found = list[pick(row, place, list.length)];
  if (found === undefined) throw new Error('there is nothing to pick from');
  return found;
}

/** Returns the id of a document. The id contains the number of the collection. */
export const idOf = (collection: number, row: number) =>
  new ObjectId(`5e0b000000${collection.toString(16).padStart(2, '0')}${row.toString(16).padStart(12, '0')}`);
export const rows = (count: number) => Array.from({ length: count }, (_, row) => row);
export const hourOf = (hours: number) => new Date(EPOCH + hours * HOUR_MS);

export const adjectives = [
  'Silent',
  'Northern',
  'Hollow',
  'Golden',
  'Distant',
  'Restless',
  'Paper',
  'Winter',
];
export const nouns = ['Harbour', 'Letter', 'Mountain', 'Compass', 'Garden', 'Signal', 'River', 'Lantern'];
export const genres = ['Drama', 'Comedy', 'Adventure', 'Mystery', 'Documentary', 'Romance'];
export const people = ['Ada Lind', 'Bruno Sala', 'Chen Yu', 'Dara Okoye', 'Elsa Moen', 'Farid Nasser'];
export const cities = [
  ['Riga', 24.1, 56.9],
  ['Lisbon', -9.1, 38.7],
  ['Osaka', 135.5, 34.7],
  ['Lagos', 3.4, 6.5],
  ['Lima', -77.0, -12.0],
  ['Halifax', -63.6, 44.6],
] as const;
export const goods = ['rope', 'lamp', 'chart', 'kettle', 'blanket', 'notebook'];
