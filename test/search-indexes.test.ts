import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowAccess, driverFor } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { newCluster, newProject } from './support/stage.ts';
import { eventTypes } from './support/users.ts';

interface Index {
  readonly indexID: string;
  readonly status: string;
  readonly queryable: boolean;
  readonly latestDefinition: object;
  readonly latestDefinitionVersion: { readonly version: number };
  readonly statusDetail?: ReadonlyArray<{
    hostname: string;
    mainIndex?: { status: string; definition: object };
  }>;
}

const V1 = '/api/service/v1.0';

onOneSetup('SQLite, one instance', 'search indexes', (setup) => {
  const settled = async (path: string, version = 0) => {
    const reply = await until(
      `${path} to be built`,
      () => setup.owner.get(path),
      (answer) => {
        const { status, latestDefinitionVersion } = answer.json() as unknown as Index;
        return latestDefinitionVersion.version === version && (status === 'READY' || status === 'FAILED');
      },
    );
    return expectStatus<Index>(reply, 200);
  };
  const stage = async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'library');
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster);
    const books = driver.db('shop').collection<{ _id: number; title: string }>('books');
    await books.insertMany([
      { _id: 1, title: 'The running ships' },
      { _id: 2, title: 'A harbour at night' },
    ]);
    return { project, cluster, driver, books };
  };

  test('are created, found, changed and deleted by id and by name, and drivers see the same', async (t) => {
    const { project, cluster, driver, books } = await stage();
    t.after(() => driver.close());
    const at = `${cluster}/search/indexes`;
    const body = {
      collectionName: 'books',
      database: 'shop',
      name: 'words',
      definition: { mappings: { dynamic: true } },
    };
    const { indexID, ...made } = expectStatus<Index>(await setup.owner.post(at, body), 201);
    const { latestDefinitionVersion, links: _, ...rest } = made as Index & { links: unknown };
    assert.equal(latestDefinitionVersion.version, 0);
    assert.deepEqual(rest, {
      collectionName: 'books',
      database: 'shop',
      latestDefinition: body.definition,
      name: 'words',
      queryable: false,
      status: 'PENDING',
      type: 'search',
    });
    expectFault(await setup.owner.post(at, body), 409, 'PLATFORM_FTS_DUPLICATE_INDEX', [
      'words',
      'shop.books',
    ]);

    const ready = await settled(`${at}/${indexID}`);
    assert.deepEqual([ready.status, ready.queryable], ['READY', true]);
    assert.deepEqual(
      ready.statusDetail?.map(({ mainIndex }) => mainIndex?.status),
      ['READY', 'READY', 'READY'],
    );
    assert.deepEqual(ready.statusDetail?.[0]?.mainIndex?.definition, body.definition);
    const found = (query: string) =>
      books.aggregate([{ $search: { index: 'words', text: { query, path: 'title' } } }]).toArray();
    assert.deepEqual(
      (await found('ships')).map(({ _id }) => _id),
      [1],
    );
    assert.deepEqual(await found('ship'), []);

    await until(
      'the event of the build',
      () => eventTypes(setup.owner, project),
      (types) => types.includes('FTS_INDEX_BUILD_COMPLETE'),
    );

    const named = `${at}/shop/books/words`;
    const definition = { analyzer: 'lib.english', mappings: { dynamic: true } };
    const changed = expectStatus<Index>(await setup.owner.patch(named, { definition }), 200);
    assert.deepEqual([changed.latestDefinition, changed.latestDefinitionVersion.version], [definition, 1]);
    assert.equal((await settled(named, 1)).status, 'READY');
    assert.deepEqual(
      (await found('ship')).map(({ _id }) => _id),
      [1],
    );

    await books.createSearchIndex({ name: 'other', definition: { mappings: { dynamic: true } } });
    for (const list of [at, `${at}/shop/books`]) {
      const names = expectStatus<Array<{ name: string }>>(await setup.owner.get(list), 200);
      assert.deepEqual(names.map(({ name }) => name).toSorted(), ['other', 'words']);
    }
    expectStatus(await setup.owner.delete(`${at}/shop/books/other`), 204);
    expectStatus(await setup.owner.delete(`${at}/${indexID}`), 204);
    await until(
      'the index to be gone',
      () => setup.owner.get(`${at}/${indexID}`),
      ({ status }) => status === 404,
    );
    expectFault(await setup.owner.get(`${at}/${indexID}`), 404, 'PLATFORM_FTS_INDEX_NOT_FOUND', [indexID]);
    const all = await eventTypes(setup.owner, project);
    for (const type of ['CREATED', 'BUILD_COMPLETE', 'UPDATED', 'DELETED', 'CLEANED_UP']) {
      assert.ok(all.includes(`FTS_INDEX_${type}`), type);
    }
  });

  /** Checks, for both shapes of an index, that a null counts as absent, except as the definition of a field. */
  async function nullsAreAbsent(cluster: string) {
    const index = { collectionName: 'books', database: 'shop' };
    const mappings = { dynamic: true, fields: null };
    const definition = { mappings, numPartitions: null, analyzer: null };
    const post = (name: string, change: object = {}) =>
      setup.owner.post(`${cluster}/search/indexes`, {
        ...index,
        name,
        definition: { ...definition, ...change },
      });
    const made = expectStatus(await post('nulls'), 201);
    assert.deepEqual(made.latestDefinition, { mappings: { dynamic: true } });
    const patched = await setup.owner.patch(`${cluster}/search/indexes/shop/books/nulls`, { definition });
    assert.deepEqual(expectStatus(patched, 200).latestDefinition, { mappings: { dynamic: true } });
    const former = { ...index, name: 'former', ...definition };
    const { numPartitions, analyzer } = expectStatus(
      await setup.owner.post(`/api/service/v1.0${cluster}/fts/indexes`, former),
      200,
    );
    assert.deepEqual([numPartitions, analyzer], [undefined, undefined]);
    const nameless = await post('nothing', { mappings: { fields: { title: null } } });
    expectFault(nameless, 400, 'INVALID_ATTRIBUTE', ['definition.mappings.fields.title']);
  }

  test('report the error in a definition, and its position', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'library');
    const index = { collectionName: 'books', database: 'shop', name: 'words' };
    const post = (definition: object, more: object = {}) =>
      setup.owner.post(`${cluster}/search/indexes`, { ...index, ...more, definition });
    expectFault(await post({}), 400, 'MISSING_ATTRIBUTE', ['definition.mappings']);
    for (const numPartitions of [1, 2, 4])
      expectStatus(
        await post({ mappings: { dynamic: true }, numPartitions }, { name: `parts-${numPartitions}` }),
        201,
      );
    await nullsAreAbsent(cluster);
    const vectors = { fields: [{ type: 'vector', path: 'at', numDimensions: 3, similarity: 'cosine' }] };
    expectFault(await post(vectors), 400, 'INVALID_ATTRIBUTE', ['definition.fields']);
    const parts = `${cluster}/search/indexes/shop/books/parts-1`;
    expectFault(await setup.owner.patch(parts, { definition: vectors }), 400, 'INVALID_ATTRIBUTE', [
      'definition.fields',
    ]);
    expectFault(await post({ mappings: { dynamic: true }, numPartitions: 3 }), 400, 'INVALID_ATTRIBUTE', [
      'definition.numPartitions',
    ]);
    const analyzer = { name: 'mine', tokenizer: { type: 'nGram', minGram: 1 } };
    expectFault(
      await post({ mappings: { dynamic: true }, analyzers: [analyzer] }),
      400,
      'MISSING_ATTRIBUTE',
      ['definition.analyzers[0].tokenizer.maxGram'],
    );
    const vector = { type: 'vector', path: 'v', numDimensions: 9000, similarity: 'cosine' };
    expectFault(await post({ fields: [vector] }, { type: 'vectorSearch' }), 400, 'INVALID_ATTRIBUTE', [
      'definition.fields[0].numDimensions',
    ]);
    const former = { ...index, mappings: { dynamic: false } };
    const legacy = `${V1}${cluster.replace(/^\/api\/service\/v2/, '')}/fts`;
    expectFault(await setup.owner.post(`${legacy}/indexes`, former), 400, 'INVALID_ATTRIBUTE', [
      'mappings.fields',
    ]);
    const keyword = { name: 'whole', tokenizer: { type: 'keyword' } };
    const put = (...analyzers: object[]) => setup.owner.put(`${legacy}/analyzers`, analyzers);
    expectFault(await put(keyword, keyword), 400, 'PLATFORM_FTS_ANALYZER_NAME_NOT_UNIQUE', ['[1].name']);
    expectFault(
      await put({ ...keyword, name: 'lib.standard' }),
      400,
      'PLATFORM_FTS_ANALYZER_NAME_CANNOT_REUSED',
      ['[0].name'],
    );
    expectFault(await put({ ...keyword, name: 'lib.mine' }), 400, 'INVALID_ATTRIBUTE', ['[0].name']);
    const kept = expectStatus<Array<{ name: string }>>(await put(keyword), 200);
    assert.deepEqual(
      kept.map(({ name }) => name),
      ['whole'],
    );
    assert.deepEqual(
      expectStatus<Array<{ name: string }>>(await setup.owner.get(`${legacy}/analyzers`), 200).map(
        ({ name }) => name,
      ),
      ['whole'],
    );
  });

  test('are rejected for invalid collection names and internal collections', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'library');
    const index = { collectionName: 'books', database: 'shop', name: 'words' };
    const definition = { mappings: { dynamic: true } };
    const cases: ReadonlyArray<[object, string]> = [
      [{ database: 'a.b' }, 'database'],
      [{ database: 'x'.repeat(64) }, 'database'],
      [{ database: 'local' }, 'database'],
      [{ collectionName: '.books' }, 'collectionName'],
      [{ collectionName: 'bo$oks' }, 'collectionName'],
      [{ collectionName: 'x'.repeat(251) }, 'collectionName'],
      [{ collectionName: 'system.views' }, 'collectionName'],
    ];
    for (const [place, field] of cases) {
      const reply = await setup.owner.post(`${cluster}/search/indexes`, { ...index, ...place, definition });
      expectFault(reply, 400, 'INVALID_ATTRIBUTE', [field]);
    }
    const longest = { ...index, collectionName: 'x'.repeat(250), definition };
    expectStatus(await setup.owner.post(`${cluster}/search/indexes`, longest), 201);
  });

  test('can be deleted if they could not be built', async (t) => {
    const { cluster, driver } = await stage();
    t.after(() => driver.close());
    await driver.db('shop').createCollection('seen', { viewOn: 'books', pipeline: [] });
    const body = {
      collectionName: 'seen',
      database: 'shop',
      name: 'words',
      definition: { mappings: { dynamic: true } },
    };
    const { indexID } = expectStatus<Index>(await setup.owner.post(`${cluster}/search/indexes`, body), 201);
    const path = `${cluster}/search/indexes/${indexID}`;
    const failed = await settled(path);
    assert.equal(failed.status, 'FAILED');
    expectStatus(await setup.owner.delete(path), 204);
    await until(
      'the index to be gone',
      () => setup.owner.get(path),
      (answer) => answer.status === 404,
    );
  });

  test('have the legacy shape at the legacy path', async (t) => {
    const { cluster, driver } = await stage();
    t.after(() => driver.close());
    const legacy = `${V1}${cluster.replace(/^\/api\/service\/v2/, '')}/fts`;
    const keyword = { name: 'whole', tokenizer: { type: 'keyword' } };
    expectStatus(await setup.owner.put(`${legacy}/analyzers`, [keyword]), 200);
    const body = {
      collectionName: 'books',
      database: 'shop',
      name: 'exact',
      analyzer: 'whole',
      mappings: { dynamic: true },
    };
    const made = expectStatus<Index>(await setup.owner.post(`${legacy}/indexes`, body), 200);
    const { indexID, links: _, ...rest } = made as Index & { links: unknown };
    assert.deepEqual(rest, { ...body, status: 'IN_PROGRESS', synonyms: [], type: 'search' });
    const path = `${legacy}/indexes/${indexID}`;
    await until(
      'the index to be steady',
      () => setup.owner.get(path),
      (answer) => answer.json().status === 'STEADY',
    );
    assert.deepEqual(expectStatus(await setup.owner.get(path), 200).mappings, {
      dynamic: true,
      fields: null,
    });
    const list = expectStatus<Index[]>(await setup.owner.get(`${legacy}/indexes/shop/books`), 200);
    assert.deepEqual(
      list.map((one) => one.indexID),
      [indexID],
    );
    expectFault(await setup.owner.patch(path, { ...body, name: 'new' }), 400, 'ATTRIBUTE_READ_ONLY', [
      'name',
    ]);
    const changed = expectStatus<{ status: string }>(
      await setup.owner.patch(path, { ...body, analyzer: 'lib.simple' }),
      200,
    );
    assert.equal(changed.status, 'IN_PROGRESS');
    expectStatus(await setup.owner.delete(path), 204);
  });

  test('have a command that shows the tokens of a text', async () => {
    const post = (body: object) => setup.operator.post('/operator/v1/search/analysis', body);
    assert.deepEqual(expectStatus(await post({ analyzer: 'lib.english', text: 'The ships' }), 200), {
      tokens: [{ end: 9, position: 1, start: 4, term: 'ship' }],
    });
    const mine = { name: 'mine', tokenizer: { type: 'regexSplit', pattern: '-' } };
    const own = expectStatus<{ tokens: Array<{ term: string }> }>(
      await post({ analyzer: 'mine', analyzers: [mine], text: 'a-b' }),
      200,
    );
    assert.deepEqual(
      own.tokens.map(({ term }) => term),
      ['a', 'b'],
    );
    expectFault(await post({ analyzer: 'lib.klingon', text: '' }), 400, 'INVALID_ENUM_VALUE', [
      'lib.klingon',
    ]);
  });
});
