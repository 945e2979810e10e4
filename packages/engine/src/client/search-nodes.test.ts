import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { enginePorts } from '@portolan/test-support/ports';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { type Collection, type Document, MongoClient, MongoServerError } from 'mongodb';
import { scramCredentials } from '../access/scram.ts';
import type { Deployment } from '../interface/engine.ts';
import { deploymentSpec } from '../testing.ts';
import { createEmbeddedEngine } from './engine.ts';
import { eventually } from './testing/eventually.ts';
import { startHost } from './testing/host.ts';

const DOCUMENTS = 1_000;

const dataDir = mkdtempSync(join(tmpdir(), 'portolan-search-nodes-'));
const engine = createEmbeddedEngine({ dataDir, startHost, log: silentLog(), ports: await enginePorts() });
const words = ['ship', 'harbour', 'night', 'quick', 'lighthouse'];

/** Searches of different kinds: batches, facets, synonyms, highlights, a count only, and an invalid one. */
const searches: readonly Document[][] = [
  [{ $search: { text: { query: 'ship', path: 'text' }, sort: { _id: 1 } } }],
  [
    {
      $search: {
        text: { query: 'ship night', path: 'text' },
        highlight: { path: 'text' },
        scoreDetails: true,
      },
    },
    { $limit: 20 },
    {
      $project: {
        score: { $meta: 'searchScore' },
        marks: { $meta: 'searchHighlights' },
        details: { $meta: 'searchScoreDetails' },
        token: { $meta: 'searchSequenceToken' },
      },
    },
  ],
  [{ $search: { text: { query: 'vessel', path: 'text', synonyms: 'same' } } }, { $limit: 5 }],
  [{ $searchMeta: { exists: { path: 'text' }, count: { type: 'total' } } }],
  [
    {
      $searchMeta: {
        facet: {
          operator: { exists: { path: 'text' } },
          facets: { n: { type: 'number', path: 'n', boundaries: [0, 100, 1_000] } },
        },
      },
    },
  ],
  [
    { $limit: 2 },
    {
      $lookup: {
        from: 'texts',
        as: 'found',
        pipeline: [{ $search: { text: { query: 'night', path: 'text' } } }, { $limit: 3 }],
      },
    },
  ],
  [{ $vectorSearch: { index: 'near', path: 'v', queryVector: [1, 2], exact: true, limit: 7 } }],
  [{ $search: { text: { query: 'ship' } } }],
  [{ $search: { index: 'absent', text: { query: 'ship', path: 'text' } } }],
];

suite('search nodes', () => {
  let client: MongoClient;
  let texts: Collection<Document>;
  let id: string;

  before(async () => {
    const deployment = await provision();
    id = deployment.id;
    const hosts = deployment.members.map(({ host, port }) => `${host}:${port}`).join(',');
    client = await MongoClient.connect(
      `mongodb://ada:pencil@${hosts}/?replicaSet=set-1-shard-0`,
      LONG_TIMEOUTS,
    );
    texts = client.db('shop').collection('texts');
    await fill();
  });
  after(async () => {
    await client.close();
    await engine.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  async function fill(): Promise<void> {
    const documents = Array.from({ length: DOCUMENTS }, (_, n) => ({
      _id: n as never,
      text: words.slice(0, 1 + (n % words.length)).join(' '),
      n,
      v: [n % 17, n % 5],
    }));
    await texts.insertMany(documents);
    const same = { mappingType: 'equivalent', synonyms: ['ship', 'vessel'] };
    await client.db('shop').collection('synonyms').insertOne(same);
    const analyzer = 'lib.standard';
    const synonyms = [{ name: 'same', analyzer, source: { collection: 'synonyms' } }];
    const fields = [{ type: 'vector', path: 'v', numDimensions: 2, similarity: 'euclidean' }];
    await texts.createSearchIndexes([
      { name: 'default', definition: { analyzer, mappings: { dynamic: true }, synonyms } },
      { name: 'near', type: 'vectorSearch', definition: { fields } },
    ]);
    await untilServed();
  }

  async function untilServed(): Promise<void> {
    // The thread that builds the indexes has a low priority. It gets CPU time during the pauses of `eventually`.
    await eventually(
      () => texts.listSearchIndexes().toArray(),
      (all) => all.every((index) => 'queryable' in index && index.queryable === true),
    );
  }

  /** Returns the results or errors. */
  async function answers(): Promise<unknown[]> {
    return Promise.all(
      searches.map(async (pipeline) => {
        try {
          return await texts.aggregate(pipeline).toArray();
        } catch (error) {
          assert.ok(error instanceof MongoServerError);
          return [error.code, error.codeName, error.message];
        }
      }),
    );
  }

  test('return the same results as the query thread, with any number of nodes', async () => {
    const expected = await answers();
    assert.equal((expected[0] as unknown[]).length, DOCUMENTS);
    for (const count of [2, 3, 1]) {
      await engine.setSearchNodes(id, count);
      assert.deepEqual(await answers(), expected);
    }
    await engine.setSearchNodes(id, 0);
    assert.deepEqual(await answers(), expected);
  });

  test('include later writes, also over a pause', async () => {
    await engine.setSearchNodes(id, 2);
    const count = async () => {
      const meta = { text: { query: 'storm', path: 'text' }, count: { type: 'total' } };
      return (await texts.aggregate([{ $searchMeta: meta }]).next())?.['count'].total;
    };
    await texts.insertOne({ text: 'a storm' });
    assert.equal(await eventually(count, (found) => found === 1), 1);
    await engine.pause(id);
    await engine.resume(id);
    await texts.insertOne({ text: 'another storm' });
    assert.equal(await eventually(count, (found) => found === 2), 2);
  });

  test('end a search after its time limit, and serve others', async () => {
    await engine.setSearchNodes(id, 2);
    const slow = { regex: { query: '(.*h){9}zzz', path: 'text', allowAnalyzedField: true } };
    const clauses = Array.from({ length: 200 }, (_, i) => ({
      ...slow,
      regex: { ...slow.regex, query: `${slow.regex.query}${i}` },
    }));
    const all = Array.from({ length: 8 }, () =>
      texts
        .aggregate([{ $search: { compound: { should: clauses } } }], { maxTimeMS: 1 })
        .toArray()
        .then(
          () => 'found',
          (error: MongoServerError) => error.codeName,
        ),
    );
    const ends = await Promise.all(all);
    assert.ok(ends.includes('MaxTimeMSExpired'), ends.join());
    const [meta] = await texts
      .aggregate([{ $searchMeta: { exists: { path: 'n' }, count: { type: 'total' } } }])
      .toArray();
    assert.equal(meta?.['count'].total, DOCUMENTS);
  });
});

async function provision(): Promise<Deployment> {
  const scram = await scramCredentials('ada', 'pencil', systemRandom());
  const roles = [{ role: 'platformAdmin', database: 'admin' }];
  const users = [{ username: 'ada', database: 'admin', roles, scram }];
  const access = { revision: 1, addresses: ['127.0.0.1/32'], users };
  return engine.provision(deploymentSpec({ access }));
}
