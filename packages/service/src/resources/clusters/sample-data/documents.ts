import type { PlainObject } from '@portolan/foundation/plain-object';
import { Decimal128, ObjectId } from 'bson';

/**
 * The sample data: a few hundred documents of different shapes. A formula generates them, so that every cluster has the
 * same documents and an interrupted load can be repeated.
 */
export interface SampleCollection {
  readonly database: string;
  readonly collection: string;
  readonly documents: readonly SampleDocument[];
  readonly indexes?: ReadonlyArray<{
    readonly name: string;
    readonly key: PlainObject;
  }>;
}

type SampleDocument = { readonly _id: ObjectId | string } & PlainObject;

const EPOCH = Date.UTC(2020, 0, 1);
const HOUR_MS = 3_600_000;

/**
 * Returns a pseudo-random number from 0 to `below - 1`, which depends only on `row` and `place`. The function is the
 * mixing step of splitmix32.
 */
function pick(row: number, place: number, below: number): number {
  let mixed = Math.imul(row * 31 + place + 1, 0x9e3779b9) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 0;
  return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
}

function oneOf<T>(list: readonly T[], row: number, place: number): T {
  const found = list[pick(row, place, list.length)];
  if (found === undefined) throw new Error('there is nothing to pick from');
  return found;
}

/** Returns the id of a document. The id contains the number of the collection. */
const idOf = (collection: number, row: number) =>
  new ObjectId(`5e0b000000${collection.toString(16).padStart(2, '0')}${row.toString(16).padStart(12, '0')}`);
const rows = (count: number) => Array.from({ length: count }, (_, row) => row);
const hourOf = (hours: number) => new Date(EPOCH + hours * HOUR_MS);

const adjectives = ['Silent', 'Northern', 'Hollow', 'Golden', 'Distant', 'Restless', 'Paper', 'Winter'];
const nouns = ['Harbour', 'Letter', 'Mountain', 'Compass', 'Garden', 'Signal', 'River', 'Lantern'];
const genres = ['Drama', 'Comedy', 'Adventure', 'Mystery', 'Documentary', 'Romance'];
const people = ['Ada Lind', 'Bruno Sala', 'Chen Yu', 'Dara Okoye', 'Elsa Moen', 'Farid Nasser'];
const cities = [
  ['Riga', 24.1, 56.9],
  ['Lisbon', -9.1, 38.7],
  ['Osaka', 135.5, 34.7],
  ['Lagos', 3.4, 6.5],
  ['Lima', -77.0, -12.0],
  ['Halifax', -63.6, 44.6],
] as const;
const goods = ['rope', 'lamp', 'chart', 'kettle', 'blanket', 'notebook'];
const FILMS = 120;

function film(row: number): SampleDocument {
  return {
    _id: idOf(1, row),
    title: `The ${oneOf(adjectives, row, 1)} ${oneOf(nouns, row, 2)}`,
    year: 1950 + pick(row, 3, 75),
    runtime: 70 + pick(row, 4, 90),
    genres: [...new Set([oneOf(genres, row, 5), oneOf(genres, row, 6)])],
    cast: [...new Set([oneOf(people, row, 7), oneOf(people, row, 8), oneOf(people, row, 9)])],
    rating: { average: (20 + pick(row, 10, 80)) / 10, votes: pick(row, 11, 50_000) },
    released: hourOf(pick(row, 12, 40_000)),
  };
}

function comment(row: number): SampleDocument {
  return {
    _id: idOf(2, row),
    film_id: idOf(1, pick(row, 1, FILMS)),
    name: oneOf(people, row, 2),
    text: `${oneOf(adjectives, row, 3)}, and more ${oneOf(adjectives, row, 4).toLowerCase()} each time.`,
    date: hourOf(pick(row, 5, 40_000)),
  };
}

function sale(row: number): SampleDocument {
  const items = rows(1 + pick(row, 1, 4)).map((item) => ({
    name: oneOf(goods, row, 10 + item),
    price: Decimal128.fromString((1 + pick(row, 20 + item, 9_900) / 100).toFixed(2)),
    quantity: 1 + pick(row, 30 + item, 5),
  }));
  const [storeLocation] = oneOf(cities, row, 2);
  const customer = { age: 18 + pick(row, 4, 60), satisfaction: 1 + pick(row, 5, 5) };
  return {
    _id: idOf(3, row),
    saleDate: hourOf(row * 7),
    storeLocation,
    items,
    customer,
    couponUsed: row % 5 === 0,
  };
}

function place(row: number): SampleDocument {
  const [city, longitude, latitude] = oneOf(cities, row, 1);
  const coordinates = [longitude + pick(row, 2, 100) / 1000, latitude + pick(row, 3, 100) / 1000];
  return {
    _id: idOf(4, row),
    name: `${oneOf(adjectives, row, 4)} ${oneOf(nouns, row, 5)}`,
    address: { city, number: 1 + pick(row, 6, 200) },
    location: { type: 'Point', coordinates },
    tags: [...new Set([oneOf(goods, row, 7), oneOf(goods, row, 8)])],
  };
}

function reading(row: number): SampleDocument {
  return {
    _id: `station-${row % 4}-${Math.floor(row / 4)}`,
    station: row % 4,
    at: hourOf(Math.floor(row / 4)),
    temperature: pick(row, 1, 350) / 10 - 5,
    pressure: 980 + pick(row, 2, 50),
    wind: pick(row, 3, 10) === 0 ? null : { from: pick(row, 4, 360), speed: pick(row, 5, 200) / 10 },
  };
}

export function sampleCollections(): SampleCollection[] {
  return [
    { database: 'sample_films', collection: 'films', documents: rows(FILMS).map(film) },
    {
      database: 'sample_films',
      collection: 'comments',
      documents: rows(200).map(comment),
      indexes: [{ name: 'film_id_1', key: { film_id: 1 } }],
    },
    { database: 'sample_shops', collection: 'sales', documents: rows(150).map(sale) },
    {
      database: 'sample_places',
      collection: 'places',
      documents: rows(60).map(place),
      indexes: [{ name: 'location_2dsphere', key: { location: '2dsphere' } }],
    },
    { database: 'sample_weather', collection: 'readings', documents: rows(96).map(reading) },
  ];
}
