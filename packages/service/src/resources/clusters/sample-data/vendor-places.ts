import { Decimal128 } from 'bson';
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

/**
 * The databases `sample_airbnb`, `sample_restaurants`, `sample_geospatial` and `sample_weatherdata`, with the fields of
 * the vendor's documentation.
 */

/** Returns a place near one of the cities: longitude and latitude. */
function pointOf(row: number): [number, number] {
  const [, longitude, latitude] = oneOf(cities, row, 60);
  return [longitude + pick(row, 61, 100) / 1000, latitude + pick(row, 62, 100) / 1000];
}

const nameOf = (row: number) => `${oneOf(adjectives, row, 63)} ${oneOf(nouns, row, 64)}`;
const decimal = (value: number) => Decimal128.fromString(value.toFixed(2));

function host(row: number) {
  return {
    host_id: String(9000 + row),
    host_url: `https://example.org/users/${row}`,
    host_name: oneOf(people, row, 1),
    host_location: oneOf(cities, row, 2)[0],
    host_is_superhost: row % 4 === 0,
    host_listings_count: 1 + pick(row, 3, 4),
    host_verifications: ['email', 'phone'],
  };
}

function guestReview(listing: string, row: number, at: number) {
  const place = row * 10 + at;
  return {
    _id: `${listing}${at}`,
    date: hourOf(pick(place, 4, 40_000)),
    listing_id: listing,
    reviewer_id: String(pick(place, 5, 90_000)),
    reviewer_name: oneOf(people, place, 6),
    comments: `A ${oneOf(adjectives, place, 7).toLowerCase()} place near the ${oneOf(nouns, place, 8).toLowerCase()}.`,
  };
}

function listing(row: number): SampleDocument {
  const id = String(10_000 + row * 7);
  const [market] = oneOf(cities, row, 60);
  const count = pick(row, 9, 4);
  return {
    _id: id,
    listing_url: `https://example.org/rooms/${id}`,
    name: nameOf(row),
    summary: `A room with a view of the ${oneOf(nouns, row, 10).toLowerCase()}.`,
    property_type: oneOf(['Apartment', 'House', 'Condominium', 'Loft'], row, 11),
    room_type: oneOf(['Entire home/apt', 'Private room', 'Shared room'], row, 12),
    bed_type: 'Real Bed',
    minimum_nights: String(1 + pick(row, 13, 5)),
    maximum_nights: '30',
    cancellation_policy: oneOf(['flexible', 'moderate', 'strict_14_with_grace_period'], row, 14),
    last_scraped: hourOf(40_000),
    accommodates: 1 + pick(row, 15, 8),
    bedrooms: 1 + pick(row, 16, 4),
    beds: 1 + pick(row, 17, 5),
    number_of_reviews: count,
    bathrooms: decimal(1 + pick(row, 18, 3) / 2),
    amenities: ['Wifi', 'Kitchen', 'Heating', 'Washer'].slice(pick(row, 19, 3)),
    price: decimal(30 + pick(row, 20, 300)),
    cleaning_fee: decimal(pick(row, 21, 60)),
    images: { picture_url: `https://example.org/pictures/${id}.jpg` },
    host: host(row),
    address: {
      street: `${market}, Sample`,
      government_area: market,
      market,
      country: 'Sample',
      country_code: 'XX',
      location: { type: 'Point', coordinates: pointOf(row), is_location_exact: row % 2 === 0 },
    },
    availability: { availability_30: pick(row, 22, 31), availability_365: pick(row, 23, 366) },
    review_scores: {
      review_scores_rating: 60 + pick(row, 24, 41),
      review_scores_value: 5 + pick(row, 25, 6),
    },
    reviews: rows(count).map((at) => guestReview(id, row, at)),
  };
}

function restaurant(row: number): SampleDocument {
  const grades = rows(1 + pick(row, 1, 4)).map((at) => ({
    date: hourOf(row * 30 + at * 900),
    grade: oneOf(['A', 'B', 'C'], row, 10 + at),
    score: pick(row, 20 + at, 30),
  }));
  const address = {
    building: String(1 + pick(row, 2, 900)),
    coord: pointOf(row),
    street: `${oneOf(nouns, row, 3)} Street`,
    zipcode: String(10_000 + pick(row, 4, 1500)),
  };
  return {
    _id: idOf(20, row),
    address,
    borough: oneOf(boroughs, row, 5),
    cuisine: oneOf(['American', 'Italian', 'Bakery', 'Japanese', 'Mexican'], row, 6),
    grades,
    name: `${nameOf(row)} Kitchen`,
    restaurant_id: String(30_000_000 + row * 13),
  };
}

const boroughs = ['Manhattan', 'Brooklyn', 'Queens', 'Bronx', 'Staten Island'];

/** A neighborhood is a square around a city. */
function neighborhood([city, x, y]: (typeof cities)[number], row: number): SampleDocument {
  const ring = [
    [x, y],
    [x + 0.1, y],
    [x + 0.1, y + 0.1],
    [x, y + 0.1],
    [x, y],
  ];
  return { _id: idOf(21, row), geometry: { type: 'Polygon', coordinates: [ring] }, name: `Old ${city}` };
}

function wreck(row: number): SampleDocument {
  const [londec, latdec] = pointOf(row);
  return {
    _id: idOf(22, row),
    recrd: '',
    vesslterms: '',
    feature_type: oneOf(['Wrecks - Visible', 'Wrecks - Submerged, dangerous'], row, 1),
    chart: `US,US,graph,Chart ${1 + pick(row, 2, 90)}`,
    latdec,
    londec,
    gp_quality: '',
    depth: pick(row, 3, 400) / 10,
    sounding_type: '',
    history: '',
    quasou: oneOf(['depth known', 'depth unknown'], row, 4),
    watlev: oneOf(['always dry', 'always under water/submerged'], row, 5),
    coordinates: [londec, latdec],
  };
}

function measurement(row: number): SampleDocument {
  const measured = (value: number) => ({ value, quality: '1' });
  return {
    _id: idOf(23, row),
    st: `x+${1000 + (row % 8) * 100}-00${row % 8}`,
    ts: hourOf(Math.floor(row / 8)),
    position: { type: 'Point', coordinates: pointOf(row % 8) },
    elevation: 9999,
    callLetters: oneOf(['VCSZ', 'PLAT', 'SHIP'], row % 8, 1),
    qualityControlProcess: 'V020',
    dataSource: '4',
    type: 'FM-13',
    airTemperature: measured(pick(row, 2, 350) / 10 - 5),
    dewPoint: measured(pick(row, 3, 200) / 10 - 5),
    pressure: measured(980 + pick(row, 4, 50)),
    wind: {
      direction: { angle: pick(row, 5, 360), quality: '1' },
      type: 'N',
      speed: { rate: pick(row, 6, 200) / 10, quality: '1' },
    },
    visibility: {
      distance: { value: 1000 * pick(row, 7, 50), quality: '1' },
      variability: { value: 'N', quality: '9' },
    },
    sections: ['AG1'],
  };
}

export function placeCollections(): SampleCollection[] {
  return [
    {
      database: 'sample_airbnb',
      collection: 'listingsAndReviews',
      documents: rows(80).map(listing),
      indexes: [
        { name: 'property_type_1_room_type_1_beds_1', key: { property_type: 1, room_type: 1, beds: 1 } },
        { name: 'name_1', key: { name: 1 } },
        { name: 'address.location_2dsphere', key: { 'address.location': '2dsphere' } },
      ],
    },
    { database: 'sample_restaurants', collection: 'restaurants', documents: rows(100).map(restaurant) },
    { database: 'sample_restaurants', collection: 'neighborhoods', documents: cities.map(neighborhood) },
    {
      database: 'sample_geospatial',
      collection: 'shipwrecks',
      documents: rows(60).map(wreck),
      indexes: [{ name: 'coordinates_2dsphere', key: { coordinates: '2dsphere' } }],
    },
    { database: 'sample_weatherdata', collection: 'data', documents: rows(96).map(measurement) },
  ];
}
