import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { system } from '../../events/index.ts';
import type { Migration } from '../../store/store.ts';
import { openTestStore } from '../../store/testing.ts';
import { makeCluster, openClusters } from '../clusters/testing.ts';
import {
  changeAnalyzers,
  createIndex,
  markMissing,
  recordBuildEnd,
  recordCreatedByDriver,
  restored,
  retryWithoutCollection,
} from './changes.ts';
import { migrations } from './migrations.ts';
import { type Definition, type IndexRow, indexesOf, insertIndex } from './rows.ts';

interface Tables {
  event: { type: string };
  search_index: Record<string, string | number>;
}

onEachDatabase('indexes stored by a former version are migrated to the current one', async (t, database) => {
  const project: Migration = {
    number: 499,
    name: 'a project',
    async up(schema) {
      await schema.run('CREATE TABLE project (id {text} PRIMARY KEY) {strict}');
      await schema.run("INSERT INTO project VALUES ('p')");
    },
  };
  const former = migrations.filter(({ number }) => number < 503);
  const before = await openTestStore(t, database, { migrations: [project, ...former] });
  const kept: IndexRow = {
    ...{ id: 'i', groupId: 'p', clusterId: 'c', database: 'shop', collection: 'books', name: 'words' },
    ...{
      type: 'search',
      isUntyped: false,
      definition: { mappings: { dynamic: true } },
      version: 2,
      status: 'FAILED',
    },
    ...{ versionCreated: new Date(7), message: 'too large', synonyms: 'READY' },
  };
  await before.write((tx) =>
    tx
      .from<Tables>()
      .insertInto('search_index')
      .values({
        ...{ id: 'i', group_id: 'p', cluster_id: 'c', database_name: 'shop', collection_name: 'books' },
        ...{ name: 'words', type: 'search', definition: '{"mappings":{"dynamic":true}}', version: 2 },
        ...{ version_created: 7, status: 'FAILED', message: 'too large', synonyms: 'READY' },
      })
      .execute(),
  );
  await before.close();
  const now = await openTestStore(t, database, { migrations: [project, ...migrations] });
  const other = { ...kept, clusterId: 'd' };
  await now.write((tx) => insertIndex(tx, other));
  assert.deepEqual(await now.read((tx) => indexesOf(tx, 'c')), [kept]);
  assert.deepEqual(await now.read((tx) => indexesOf(tx, 'd')), [other]);
});

onEachDatabase('search indexes in the store', async (t, database) => {
  const { store, groupId } = await openClusters(t, database);
  const row = (clusterId: string, name: string, more: Partial<IndexRow> = {}): IndexRow => ({
    ...{ id: `${clusterId}-${name}`, groupId, clusterId, database: 'shop', collection: 'books', name },
    ...{ type: 'search', isUntyped: false, definition: { mappings: { dynamic: true } }, version: 0 },
    ...{ versionCreated: new Date(0), status: 'READY', ...more },
  });
  const events = async () => {
    const rows = await store.read((tx) => tx.from<Tables>().selectFrom('event').select('type').execute());
    return rows.map(({ type }) => type).filter((type) => type.startsWith('FTS_'));
  };
  const shown = async (clusterId: string) =>
    (await store.read((tx) => indexesOf(tx, clusterId))).map(({ name, status }) => [name, status]);

  await t.test('a restore removes the indexes that it does not contain, except requested ones', async () => {
    const cluster = await store.write((tx) => makeCluster(tx, groupId, 'restored'));
    const of = (name: string, status: IndexRow['status']) => row(cluster.id, name, { status });
    const kept = of('kept', 'READY');
    const gone = of('gone', 'READY');
    const awaiting = of('awaiting', 'PENDING');
    const others = [
      of('asked', 'PENDING'),
      of('deleted', 'DELETING'),
      of('failed', 'FAILED'),
      of('late', 'BUILDING'),
    ];
    await store.write(async (tx) => {
      for (const one of [kept, gone, awaiting, ...others]) await insertIndex(tx, one);
      await markMissing(tx, gone);
      await retryWithoutCollection(tx, cluster, awaiting);
    });
    await store.write((tx) => restored(tx, cluster, [kept]));
    assert.deepEqual(await shown(cluster.id), [
      ['asked', 'PENDING'],
      ['awaiting', 'DOES_NOT_EXIST'],
      ['deleted', 'DELETING'],
      ['kept', 'BUILDING'],
    ]);
    const cleaned = Array.from({ length: 3 }, () => 'FTS_INDEX_CLEANED_UP');
    assert.deepEqual((await events()).toSorted(), [...cleaned, 'FTS_INDEXES_RESTORED'].toSorted());
    await store.write((tx) => restored(tx, cluster, []));
    assert.deepEqual(
      (await shown(cluster.id)).map(([name]) => name),
      ['asked', 'awaiting', 'deleted'],
    );
    assert.deepEqual(
      (await events()).toSorted(),
      [...cleaned, 'FTS_INDEX_CLEANED_UP', 'FTS_INDEXES_RESTORED'].toSorted(),
    );
  });

  await t.test('indexes of different clusters may share an id', async () => {
    const owner = await store.write((tx) => makeCluster(tx, groupId, 'owner'));
    const taker = await store.write((tx) => makeCluster(tx, groupId, 'taker'));
    const third = await store.write((tx) => makeCluster(tx, groupId, 'third'));
    const own = row(owner.id, 'own');
    await store.write((tx) => insertIndex(tx, own));
    const same = row(taker.id, 'same', { id: own.id, version: 7 });
    assert.deepEqual(await store.write((tx) => recordCreatedByDriver(tx, taker, same)), same);
    await store.write((tx) => restored(tx, third, [row(third.id, 'own', { id: own.id })]));
    assert.deepEqual(await shown(third.id), [['own', 'BUILDING']]);
    await store.write((tx) => markMissing(tx, same));
    assert.deepEqual(await shown(taker.id), [['same', 'DOES_NOT_EXIST']]);
    await store.write((tx) => restored(tx, taker, []));
    assert.deepEqual(await shown(taker.id), []);
    assert.deepEqual(await shown(owner.id), [['own', 'READY']]);
    assert.deepEqual(await shown(third.id), [['own', 'BUILDING']]);
  });

  await t.test('a build that ended STALE is recorded as built and as stale', async () => {
    const cluster = await store.write((tx) => makeCluster(tx, groupId, 'stopped'));
    const first = row(cluster.id, 'first', { status: 'BUILDING' });
    const end = { status: 'STALE', message: 'its file cannot be written', synonyms: 'FAILED' } as const;
    const before = (await events()).length;
    await store.write(async (tx) => {
      await insertIndex(tx, first);
      await recordBuildEnd(tx, cluster, first, end);
    });
    assert.deepEqual(await store.read((tx) => indexesOf(tx, cluster.id)), [{ ...first, ...end }]);
    assert.deepEqual((await events()).slice(before).toSorted(), [
      'FTS_INDEXES_SYNONYM_MAPPING_INVALID',
      'FTS_INDEX_BUILD_COMPLETE',
      'FTS_INDEX_STALE',
    ]);
  });

  await t.test('changing an analyzer rebuilds exactly the indexes that use it', async () => {
    const cluster = await store.write((tx) => makeCluster(tx, groupId, 'analyzed'));
    const text = { type: 'string', analyzer: 'mine' };
    const dynamic = { dynamic: true };
    const within = (field: object) => ({ mappings: { fields: { a: field } } });
    const naming: Record<string, Definition> = {
      'a analyzer': { analyzer: 'mine', mappings: dynamic },
      'a autocomplete': within({ type: 'autocomplete', analyzer: 'mine' }),
      'a field': within(text),
      'a field of several': within([{ type: 'token' }, { type: 'string', searchAnalyzer: 'mine' }]),
      'a inside': within({
        type: 'document',
        fields: { b: { type: 'embeddedDocuments', fields: { c: text } } },
      }),
      'a multi': within({ type: 'string', multi: { b: text } }),
      'a searchAnalyzer': { searchAnalyzer: 'mine', mappings: dynamic },
      'a synonyms': {
        mappings: dynamic,
        synonyms: [{ name: 's', analyzer: 'mine', source: { collection: 'words' } }],
      },
    };
    const others: Record<string, Definition> = {
      'b field': { mappings: { fields: { mine: { type: 'string' } } } },
      'b multi': within({ type: 'string', multi: { mine: { type: 'string' } } }),
      'b own': {
        ...{ analyzer: 'mine', mappings: dynamic },
        analyzers: [{ name: 'mine', tokenizer: { type: 'keyword' } }],
      },
      'b source': { mappings: dynamic, storedSource: { include: ['mine'] } },
      'b synonyms': {
        mappings: dynamic,
        synonyms: [{ name: 'mine', analyzer: 'lib.simple', source: { collection: 'mine' } }],
      },
    };
    await store.write(async (tx) => {
      for (const [name, definition] of Object.entries({ ...naming, ...others }))
        await insertIndex(tx, row(cluster.id, name, { definition }));
    });
    const mine = [{ name: 'mine', tokenizer: { type: 'standard' } }];
    await store.write((tx) => changeAnalyzers(tx, cluster, mine, system));
    const changed = (await store.read((tx) => indexesOf(tx, cluster.id))).filter(
      ({ version }) => version === 1,
    );
    assert.deepEqual(changed.map(({ name }) => name).toSorted(), Object.keys(naming));
  });

  await t.test('the definitions of a cluster are limited together, and are read with pauses', async () => {
    const cluster = await store.write((tx) => makeCluster(tx, groupId, 'many'));
    const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`.padEnd(24, 'x'));
    const stored = row(cluster.id, 'large', {
      definition: { mappings: { dynamic: true }, storedSource: { include: words(4_000) } },
    });
    const many = 40;
    await store.write(async (tx) => {
      for (let i = 0; i < many; i++) await insertIndex(tx, { ...stored, id: `large${i}`, name: `large${i}` });
    });
    let turns = 0;
    let isEnded = false;
    const count = () => {
      turns++;
      if (!isEnded) setImmediate(count);
    };
    await store.read(async (tx) => {
      setImmediate(count);
      assert.equal((await indexesOf(tx, cluster.id)).length, many);
      isEnded = true;
    });
    assert.ok(turns > many / 4, `${turns} turns`);
    const options = { actor: system, at: 'definition', existing: [] };
    const create = (include: readonly string[], name: string) =>
      store.write((tx) =>
        createIndex(
          tx,
          cluster,
          {
            ...{ database: 'shop', collection: 'books', name, type: 'search' },
            definition: { mappings: { dynamic: true }, storedSource: { include } },
          },
          options,
        ),
      );
    await assert.rejects(create(words(1_000), 'too large'), /larger than 4194304 bytes/);
    assert.equal((await create(words(10), 'small')).name, 'small');
  });
});
