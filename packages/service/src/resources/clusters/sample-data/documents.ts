import { Decimal128 } from 'bson';
import {
  adjectives,
  cities,
  genres,
  goods,
  hourOf,
  idOf,
  nouns,
  oneOf,
  people,
  pick,
  rows,
  type SampleCollection,
  type SampleDocument,
} from './generated.ts';

/**
 * The sample data: a few hundred documents of different shapes. A formula generates them, so that every cluster has the
 * same documents and an interrupted load can be repeated.
 */

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
