import {
  Binary,
  Code,
  type Db,
  Decimal128,
  Double,
  type IndexDescription,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from 'mongodb';

/** Fills a database with every kind of value, collection and index, for tests that copy databases. */
export async function makeEveryKind(db: Db): Promise<void> {
  await db
    .collection<{ _id: unknown }>('values')
    .insertMany([values, { _id: { a: 1 } }, { _id: new Double(-0) }]);
  await makeIndexed(db);
  await makeCollections(db);
  await makeSeries(db);
}

const values = {
  _id: new Timestamp({ t: 1, i: 2 }),
  double: new Double(1),
  text: 'é',
  nested: { '': { a: [1, [2]] }, 'a.b': 1, $x: 2 },
  binary: new Binary(Buffer.from('x'), 0x80),
  uuid: new UUID('3b241101-e2bb-4255-8caf-4136c566a962'),
  id: new ObjectId('507f1f77bcf86cd799439011'),
  bool: true,
  date: new Date(-1),
  none: null,
  regex: /a/i,
  code: new Code('f'),
  scoped: new Code('f', { a: 1 }),
  empty: new Timestamp({ t: 0, i: 0 }),
  long: new Long(5),
  decimal: new Decimal128('1.50'),
  min: new MinKey(),
  max: new MaxKey(),
};

const indexes: IndexDescription[] = [
  { key: { a: 1 }, unique: true, name: 'unique' },
  { key: { b: -1, a: 1 } },
  { key: { text: 'text' }, weights: { text: 3 }, default_language: 'french' },
  { key: { place: '2dsphere' } },
  { key: { flat: '2d' }, bits: 20, min: -200, max: 200 },
  { key: { a: 'hashed' } },
  { key: { 'some.$**': 1 } },
  { key: { at: 1 }, expireAfterSeconds: 3600 },
  { key: { text: 1 }, collation: { locale: 'fr', strength: 1 } },
  { key: { b: 1 }, partialFilterExpression: { a: { $gt: 5 } } },
  { key: { some: 1 }, sparse: true, hidden: true, background: true },
];

async function makeIndexed(db: Db): Promise<void> {
  const indexed = db.collection<object>('indexed');
  const documents = Array.from({ length: 1500 }, (_, i) => ({
    a: i,
    b: [i, i + 1],
    text: `mot ${i}`,
    place: { type: 'Point', coordinates: [i % 90, i % 45] },
    flat: [i % 100, i % 50],
    // The date is in the far future, so that nothing expires.
    at: new Date(3e12 + i),
    some: { x: i },
  }));
  await indexed.insertMany(documents);
  await indexed.createIndexes(indexes);
  await db.collection<object>('wild').createIndex({ '$**': 1 }, { wildcardProjection: { a: 1 } });
}

async function makeCollections(db: Db): Promise<void> {
  const numbered = (length: number) => Array.from({ length }, (_, i) => ({ i }));
  const capped = await db.createCollection('capped', { capped: true, size: 8192, max: 50 });
  await capped.insertMany(numbered(60));
  const clusteredIndex = { key: { _id: 1 as const }, unique: true as const, name: 'by date' };
  const clustered = await db.createCollection<{ _id: Date }>('clustered', { clusteredIndex });
  await clustered.insertMany(numbered(100).map(({ i }) => ({ _id: new Date(2e12 - i) })));
  const collated = await db.createCollection<{ _id: string }>('collated', {
    collation: { locale: 'de', strength: 2 },
  });
  await collated.insertMany(['Ä', 'b', 'a'].map((_id) => ({ _id })));
  const validated = await db.createCollection('validated', {
    validator: { $jsonSchema: { required: ['n'] } },
    validationLevel: 'moderate',
    validationAction: 'warn',
    changeStreamPreAndPostImages: { enabled: true },
  });
  await validated.insertMany([{ n: 1 }, { m: 2 }]);
  await db.createCollection('empty');
  await db.createCollection('view', { viewOn: 'indexed', pipeline: [{ $match: { a: { $lt: 5 } } }] });
  await db
    .collection<{ _id: string }>('system.js')
    .insertOne({ _id: 'f', ...{ value: new Code('() => 1') } });
  await db.collection('a name.of its/own%é').insertMany(numbered(3));
}

/** Creates two time series, one with repeated ids. */
export async function makeSeries(db: Db): Promise<void> {
  const series = await db.createCollection('series', {
    timeseries: { timeField: 'at', metaField: 'of', granularity: 'minutes' },
    expireAfterSeconds: 1e9,
  });
  const measured = (i: number) => ({ at: new Date(1.7e12 + i * 1000), of: { k: i % 40 }, v: i / 7 });
  await series.insertMany(Array.from({ length: 3000 }, (_, i) => measured(i)));
  await series.createIndex({ 'of.k': 1, at: -1 });
  const repeated = await db.createCollection<{ _id: number; at: Date }>('repeated', {
    timeseries: { timeField: 'at', bucketMaxSpanSeconds: 100, bucketRoundingSeconds: 100 },
  });
  await repeated.insertMany(Array.from({ length: 500 }, (_, i) => ({ _id: i % 7, at: new Date(i * 9000) })));
}
