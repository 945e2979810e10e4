import type { Db, Document, MongoClient } from 'mongodb';

/** Statements of a malicious tenant. Without limits, each statement would occupy a thread or use all memory. */

const DOCUMENTS = 20_000;
const BATCH = 2_000;

export async function fillForTorture(driver: MongoClient): Promise<void> {
  const things = driver.db('torture').collection<Document & { _id: number }>('things');
  for (let from = 0; from < DOCUMENTS; from += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, i) => ({
      _id: from + i,
      n: (from + i) * 7_919,
      text: `${'a'.repeat(41)}!${from + i}`,
      list: [i, i + 1, i + 2],
    }));
    await things.insertMany(batch);
  }
  await things.createSearchIndex({ name: 'texts', definition: { mappings: { dynamic: true } } });
}

export type Torture = (db: Db, driver: MongoClient) => Promise<unknown>;

/**
 * The tenant stops reading results after this time. It does not decode them, since the drivers of its neighbours share
 * this process.
 */
const READING_MS = 20_000;

async function read(results: AsyncIterable<unknown> & { close(): Promise<void> }): Promise<void> {
  const start = performance.now();
  for await (const _ of results) if (performance.now() - start > READING_MS) break;
  await results.close();
}

const aggregate =
  (...pipeline: Document[]): Torture =>
  (db) =>
    read(db.collection('things').aggregate(pipeline, { allowDiskUse: true, raw: true }));
const find =
  (filter: Document): Torture =>
  (db) =>
    read(db.collection('things').find(filter, { raw: true }));
/** Returns a statement that computes a value for each document. */
const value = (expression: unknown) => aggregate({ $project: { n: expression } });
const one = (expression: unknown) => aggregate({ $limit: 1 }, { $project: { n: expression } });
const whole = { documents: ['unbounded', 'unbounded'] };
const window = (output: Document) =>
  aggregate({ $setWindowFields: { sortBy: { n: 1 }, output: { output } } });
const unwound = [{ $addFields: { r: { $range: [0, 20_000] } } }, { $unwind: '$r' }];
const script = (body: string) => ({ body, args: ['$n'], lang: 'js' });

const windows: Readonly<Record<string, Torture>> = {
  'window with $push': window({ $push: '$text', window: whole }),
  'moving window with $push': window({ $push: '$text', window: { documents: [-10_000, 10_000] } }),
  'window with $median': window({
    $median: { input: '$n', method: 'approximate' },
    window: { documents: [-10_000, 10_000] },
  }),
  'window with $addToSet': window({ $addToSet: '$n', window: { documents: ['unbounded', 'current'] } }),
};

const patterns: Readonly<Record<string, Torture>> = {
  lookahead: find({ text: { $regex: '(?=(a+)+b)a' } }),
  'nested quantifiers': find({ text: { $regex: '^(a+)+$' } }),
  'back reference': find({ text: { $regex: '(a*)*\\1b' } }),
  'exponential to compile': find({ text: { $regex: `(${'a?'.repeat(64)})${'a'.repeat(64)}` } }),
  $regexFindAll: one({
    $size: { $regexFindAll: { input: 'a'.repeat(100_000), regex: '(?=(a*)*c)|a' } },
  }),
  '$split of 1 MB': one({ $size: { $split: ['a,'.repeat(500_000), ','] } }),
  '$replaceAll of 1 MB': one({
    $strLenCP: { $replaceAll: { input: 'a'.repeat(1_000_000), find: 'a', replacement: 'bb' } },
  }),
};

const expressions: Readonly<Record<string, Torture>> = {
  '$range to 2^31': one({ $size: { $range: [0, 2_147_483_647] } }),
  '$range in all': value({ $size: { $range: [0, { $add: [1_000_000, '$_id'] }] } }),
  'nested $reduce': value({
    $reduce: {
      input: { $range: [0, 10_000] },
      initialValue: 0,
      in: {
        $add: [
          '$$value',
          {
            $reduce: { input: { $range: [0, 10_000] }, initialValue: 0, in: { $add: ['$$value', '$$this'] } },
          },
        ],
      },
    },
  }),
  'doubling $reduce': one({
    $size: {
      $reduce: {
        input: { $range: [0, 40] },
        initialValue: [1],
        in: { $concatArrays: ['$$value', '$$value'] },
      },
    },
  }),
  'doubling text': one({
    $strLenCP: {
      $reduce: { input: { $range: [0, 40] }, initialValue: 'x', in: { $concat: ['$$value', '$$value'] } },
    },
  }),
  $sortArray: one({ $first: { $sortArray: { input: { $range: [1_000_000, 0, -1] }, sortBy: 1 } } }),
  $setUnion: one({ $size: { $setUnion: [{ $range: [0, 1_000_000] }, { $range: [500_000, 1_500_000] }] } }),
  $zip: one({ $size: { $zip: { inputs: [{ $range: [0, 1_000_000] }, { $range: [0, 1_000_000] }] } } }),
};

const stages: Readonly<Record<string, Torture>> = {
  '$group of many keys': aggregate(...unwound, { $group: { _id: { a: '$_id', r: '$r' } } }),
  '$push of everything': aggregate(...unwound, { $group: { _id: null, all: { $push: '$$ROOT' } } }),
  sort: aggregate(...unwound, { $sort: { r: -1, text: 1 } }, { $skip: 1_000_000 }, { $limit: 1 }),
  lookup: aggregate(
    { $lookup: { from: 'things', pipeline: [{ $match: { text: /9$/ } }], as: 'all' } },
    { $project: { n: { $size: '$all' } } },
  ),
  $graphLookup: aggregate(
    {
      $graphLookup: {
        from: 'things',
        startWith: '$list',
        connectFromField: 'list',
        connectToField: 'list',
        as: 'all',
      },
    },
    { $project: { n: { $size: '$all' } } },
  ),
  $densify: aggregate({ $densify: { field: 'n', range: { step: 1, bounds: 'full' } } }, { $count: 'n' }),
  $facet: aggregate({ $facet: { a: unwound, b: unwound } }),
  '$in of 500,000': find({ n: { $in: Array.from({ length: 500_000 }, (_, i) => -i) } }),
  '$or of 20,000': find({ $or: Array.from({ length: 20_000 }, (_, i) => ({ n: -i, text: `${i}` })) }),
  'wildcard path of a search': aggregate({
    $search: { index: 'texts', text: { query: 'a', path: { wildcard: '*a'.repeat(25) } } },
  }),
};

const scripts: Readonly<Record<string, Torture>> = {
  '$where filling memory': find({ $where: 'const a = []; for (;;) a.push(new Array(100000).fill(1));' }),
  '$where without end': find({ $where: 'for (;;);' }),
  '$function making text': value({
    $function: script('function (n) { return "x".repeat(1000000).length; }'),
  }),
  $accumulator: aggregate({
    $group: {
      _id: null,
      all: {
        $accumulator: {
          init: 'function () { return []; }',
          accumulate:
            'function (state, n) { for (let i = 0; i < 1000; i++) state.push("x" + n); return state; }',
          accumulateArgs: ['$n'],
          merge: 'function (a, b) { return a.concat(b); }',
          lang: 'js',
        },
      },
    },
  }),
};

/** Writes 100 documents of 1 MB in a transaction that only the server ends. */
const growingTransaction: Torture = async (db, driver) => {
  const session = driver.startSession();
  session.startTransaction();
  const text = 'x'.repeat(1_000_000);
  const things = db.collection('grown');
  for (let i = 0; i < 100; i++) await things.insertOne({ text }, { session });
  await session.abortTransaction();
};

const writes: Readonly<Record<string, Torture>> = {
  'transaction that grows': growingTransaction,
  'update of everything': (db) =>
    db.collection('things').updateMany({}, [{ $set: { more: { $range: [0, { $mod: ['$n', 1_000] }] } } }]),
  'index over arrays': async (db) => {
    await db.collection('things').createIndex({ '$**': 1 }, { name: 'everything' });
    await db.collection('things').dropIndex('everything');
  },
};

export const tortures: Readonly<Record<string, Torture>> = {
  ...windows,
  ...patterns,
  ...expressions,
  ...stages,
  ...scripts,
  ...writes,
};
