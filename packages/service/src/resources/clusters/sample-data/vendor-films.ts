import {
  adjectives,
  cities,
  genres,
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

/** The database `sample_mflix`, with the collections and fields of the vendor's documentation. */

const DATABASE = 'sample_mflix';
const MOVIES = 120;
/** Number of values in a vector of a plot. The vectors are random: they express no meaning. */
const DIMENSIONS = 1536;

function movie(row: number): SampleDocument {
  const year = 1950 + pick(row, 3, 75);
  const plot = `A ${oneOf(adjectives, row, 13).toLowerCase()} ${oneOf(nouns, row, 14).toLowerCase()} changes a life.`;
  const wins = pick(row, 15, 9);
  const nominations = pick(row, 16, 12);
  const [, country] = oneOf(countries, row, 17);
  return {
    _id: idOf(1, row),
    plot,
    genres: [...new Set([oneOf(genres, row, 5), oneOf(genres, row, 6)])],
    runtime: 70 + pick(row, 4, 90),
    cast: [...new Set([oneOf(people, row, 7), oneOf(people, row, 8), oneOf(people, row, 9)])],
    num_mflix_comments: pick(row, 18, 20),
    poster: `https://example.org/posters/${row}.jpg`,
    title: `The ${oneOf(adjectives, row, 1)} ${oneOf(nouns, row, 2)}`,
    fullplot: `${plot} ${oneOf(people, row, 19)} has to choose between two homes.`,
    languages: [...new Set(['English', oneOf(countries, row, 20)[0]])],
    released: new Date(Date.UTC(year, pick(row, 21, 12), 1 + pick(row, 22, 28))),
    directors: [oneOf(people, row, 23)],
    writers: [...new Set([oneOf(people, row, 24), oneOf(people, row, 25)])],
    rated: oneOf(['G', 'PG', 'PG-13', 'R', 'UNRATED'], row, 26),
    awards: { wins, nominations, text: `${wins} wins & ${nominations} nominations.` },
    lastupdated: '2015-08-26 00:03:45.040000000',
    year,
    imdb: { rating: (20 + pick(row, 10, 80)) / 10, votes: pick(row, 11, 50_000), id: 1000 + row },
    countries: [country],
    type: row % 20 === 0 ? 'series' : 'movie',
    tomatoes: {
      viewer: { rating: pick(row, 27, 50) / 10, numReviews: pick(row, 28, 3000), meter: pick(row, 29, 101) },
      fresh: pick(row, 30, 50),
      critic: { rating: pick(row, 31, 100) / 10, numReviews: pick(row, 32, 80), meter: pick(row, 33, 101) },
      rotten: pick(row, 34, 30),
      lastUpdated: hourOf(pick(row, 35, 40_000)),
    },
  };
}

const countries = [
  ['English', 'USA'],
  ['French', 'France'],
  ['Japanese', 'Japan'],
  ['Spanish', 'Spain'],
] as const;

function embeddedMovie(row: number): SampleDocument {
  const plot_embedding = rows(DIMENSIONS).map((index) => pick(row, 100 + index, 2000) / 1000 - 1);
  return { ...movie(row), plot_embedding };
}

const mailOf = (name: string) => `${name.toLowerCase().replace(' ', '_')}@example.org`;

function comment(row: number): SampleDocument {
  const name = oneOf(people, row, 2);
  return {
    _id: idOf(2, row),
    name,
    email: mailOf(name),
    movie_id: idOf(1, pick(row, 1, MOVIES)),
    text: `${oneOf(adjectives, row, 3)}, and more ${oneOf(adjectives, row, 4).toLowerCase()} each time.`,
    date: hourOf(pick(row, 5, 40_000)),
  };
}

/** The passwords are no hashes, so that nobody can log in with them. */
const user = (name: string, row: number): SampleDocument => ({
  _id: idOf(3, row),
  name,
  email: mailOf(name),
  password: '$2b$12$sample',
});

function theater(row: number): SampleDocument {
  const [city, longitude, latitude] = oneOf(cities, row, 1);
  const coordinates = [longitude + pick(row, 2, 100) / 1000, latitude + pick(row, 3, 100) / 1000];
  const address = {
    street1: `${1 + pick(row, 4, 900)} ${oneOf(nouns, row, 5)} Street`,
    city,
    state: oneOf(['CA', 'NY', 'TX', 'WA'], row, 6),
    zipcode: String(10_000 + pick(row, 7, 80_000)),
  };
  return {
    _id: idOf(4, row),
    theaterId: 1000 + row,
    location: { address, geo: { type: 'Point', coordinates } },
  };
}

export function filmCollections(): SampleCollection[] {
  return [
    { database: DATABASE, collection: 'movies', documents: rows(MOVIES).map(movie) },
    { database: DATABASE, collection: 'embedded_movies', documents: rows(20).map(embeddedMovie) },
    {
      database: DATABASE,
      collection: 'comments',
      documents: rows(200).map(comment),
      indexes: [{ name: 'movie_id_1', key: { movie_id: 1 } }],
    },
    {
      database: DATABASE,
      collection: 'users',
      documents: people.map(user),
      indexes: [{ name: 'email_1', key: { email: 1 } }],
    },
    {
      database: DATABASE,
      collection: 'theaters',
      documents: rows(40).map(theater),
      indexes: [{ name: 'geo index', key: { 'location.geo': '2dsphere' } }],
    },
    {
      database: DATABASE,
      collection: 'sessions',
      documents: [{ _id: idOf(5, 0), user_id: mailOf(oneOf(people, 0, 1)), jwt: 'sample' }],
      indexes: [{ name: 'user_id_1', key: { user_id: 1 } }],
    },
  ];
}
