import {
  adjectives,
  cities,
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

/** The databases `sample_training` and `sample_guides`, with the fields of the vendor's documentation. */

const DATABASE = 'sample_training';

function grades(row: number): SampleDocument {
  const scores = ['exam', 'quiz', 'homework', 'homework'].map((type, at) => ({
    type,
    score: pick(row, 1 + at, 10_000) / 100,
  }));
  return { _id: idOf(30, row), student_id: Math.floor(row / 4), scores, class_id: pick(row, 9, 40) };
}

function inspection(row: number): SampleDocument {
  const address = {
    city: oneOf(cities, row, 1)[0].toUpperCase(),
    zip: 10_000 + pick(row, 2, 1500),
    street: `${oneOf(nouns, row, 3)} STREET`.toUpperCase(),
    number: 1 + pick(row, 4, 900),
  };
  return {
    _id: idOf(31, row),
    id: `${10_000 + row}-2015-ENFO`,
    certificate_number: 9_000_000 + row,
    business_name: `${oneOf(adjectives, row, 5)} ${oneOf(nouns, row, 6)}`.toUpperCase(),
    date: 'Feb 20 2015',
    result: oneOf(['No Violation Issued', 'Violation Issued', 'Pass', 'Fail'], row, 7),
    sector: 'Cigarette Retail Dealer - 127',
    address,
  };
}

function post(row: number): SampleDocument {
  const comments = rows(pick(row, 1, 4)).map((at) => ({
    body: `The ${oneOf(nouns, row, 10 + at).toLowerCase()} was ${oneOf(adjectives, row, 20 + at).toLowerCase()}.`,
    email: 'sample@example.org',
    author: oneOf(people, row, 30 + at),
  }));
  return {
    _id: idOf(32, row),
    body: `About the ${oneOf(adjectives, row, 2).toLowerCase()} ${oneOf(nouns, row, 3).toLowerCase()}.`,
    permalink: `post${row}`,
    author: 'machine',
    title: `${oneOf(adjectives, row, 4)} ${oneOf(nouns, row, 5)}`,
    tags: [...new Set([oneOf(nouns, row, 6), oneOf(nouns, row, 7)])],
    comments,
    date: hourOf(pick(row, 8, 40_000)),
  };
}

const airports = ['CDG', 'LIS', 'KIX', 'LOS', 'LIM', 'YHZ', 'RIX', 'JFK'];

function route(row: number): SampleDocument {
  const from = pick(row, 1, airports.length);
  const to = (from + 1 + pick(row, 2, airports.length - 1)) % airports.length;
  const number = pick(row, 3, 3);
  return {
    _id: idOf(33, row),
    airline: { id: 100 + number, name: `${oneOf(nouns, number, 4)} Air`, alias: 'SA', iata: `S${number}` },
    src_airport: airports[from],
    dst_airport: airports[to],
    codeshare: '',
    stops: 0,
    airplane: oneOf(['CR2', '320', '738'], row, 5),
  };
}

function trip(row: number): SampleDocument {
  const station = (place: number) => {
    const [city, longitude, latitude] = oneOf(cities, row, place);
    return {
      id: place * 100 + row,
      name: `${city} Station`,
      at: { type: 'Point', coordinates: [longitude, latitude] },
    };
  };
  const [start, end] = [station(1), station(2)];
  const begin = hourOf(row * 5);
  const tripduration = 200 + pick(row, 3, 3000);
  return {
    _id: idOf(34, row),
    tripduration,
    'start station id': start.id,
    'start station name': start.name,
    'end station id': end.id,
    'end station name': end.name,
    bikeid: 10_000 + pick(row, 4, 900),
    usertype: oneOf(['Subscriber', 'Customer'], row, 5),
    'birth year': 1960 + pick(row, 6, 40),
    gender: pick(row, 7, 3),
    'start station location': start.at,
    'end station location': end.at,
    'start time': begin,
    'stop time': new Date(begin.getTime() + tripduration * 1000),
  };
}

function zip(row: number): SampleDocument {
  const [city, x, y] = oneOf(cities, row, 1);
  const loc = { y: y + pick(row, 2, 100) / 1000, x: x + pick(row, 3, 100) / 1000 };
  return {
    _id: idOf(35, row),
    city: city.toUpperCase(),
    zip: String(10_000 + row * 11),
    loc,
    pop: pick(row, 4, 60_000),
    state: oneOf(['AL', 'CA', 'NY', 'TX', 'WA'], row, 5),
  };
}

function company(row: number): SampleDocument {
  const name = `${oneOf(adjectives, row, 1)} ${oneOf(nouns, row, 2)}`;
  const permalink = `${name.toLowerCase().replace(' ', '-')}-${row}`;
  return {
    _id: idOf(36, row),
    name,
    permalink,
    homepage_url: `https://example.org/${permalink}`,
    category_code: oneOf(['web', 'software', 'mobile', 'games_video'], row, 3),
    number_of_employees: 1 + pick(row, 4, 900),
    founded_year: 1990 + pick(row, 5, 24),
    description: `A company for every ${oneOf(nouns, row, 6).toLowerCase()}.`,
    offices: [{ city: oneOf(cities, row, 7)[0], country_code: 'XX' }],
  };
}

const planets = ['Mercury', 'Venus', 'Earth', 'Mars', 'Jupiter', 'Saturn', 'Uranus', 'Neptune'];
const atmospheres = [
  [],
  ['CO2', 'N'],
  ['N', 'O2', 'Ar'],
  ['CO2', 'Ar', 'N'],
  ...rows(4).map(() => ['H2', 'He']),
];
/** Mean temperatures in degrees Celsius. */
const temperatures = [67, 464, 14, -63, -145, -139, -197, -201];

const planet = (name: string, row: number): SampleDocument => ({
  _id: idOf(37, row),
  name,
  orderFromSun: row + 1,
  hasRings: row > 3,
  mainAtmosphere: atmospheres[row],
  surfaceTemperatureC: { min: null, max: null, mean: temperatures[row] },
});

const comets = [
  { name: "Halley's Comet", officialName: '1P/Halley', orbitalPeriod: 75, radius: 3.4175, mass: 2.2e14 },
  { name: 'Wild2', officialName: '81P/Wild', orbitalPeriod: 6.41, radius: 1.5534, mass: 2.3e13 },
  { name: 'Comet Hyakutake', officialName: 'C/1996 B2', orbitalPeriod: 17000, radius: 0.77671, mass: 8.8e12 },
];

export function trainingCollections(): SampleCollection[] {
  const training = (collection: string, documents: SampleDocument[]) => ({
    database: DATABASE,
    collection,
    documents,
  });
  const guides = (collection: string, documents: SampleDocument[]) => ({
    database: 'sample_guides',
    collection,
    documents,
  });
  return [
    training('companies', rows(60).map(company)),
    training('grades', rows(120).map(grades)),
    training('inspections', rows(80).map(inspection)),
    training('posts', rows(40).map(post)),
    training('routes', rows(80).map(route)),
    training('trips', rows(60).map(trip)),
    training('zips', rows(80).map(zip)),
    guides('planets', planets.map(planet)),
    guides(
      'comets',
      comets.map((comet, row) => ({ _id: idOf(38, row), ...comet })),
    ),
  ];
}
