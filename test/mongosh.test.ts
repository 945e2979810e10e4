import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { allowAccess, driverFor, newUser, SAILOR } from './support/drivers.ts';
import { engineAlone } from './support/engine-alone.ts';
import { own } from './support/setups.ts';
import { idle, newCluster, newProject } from './support/stage.ts';
import { askMongosh, INSTALL_LIMIT_MS, inOneMongosh, installTools, mongosh } from './support/tools.ts';

before(installTools, { timeout: INSTALL_LIMIT_MS + 10_000 });

describe('mongosh on a standalone engine', () => {
  const uri = engineAlone();
  const script = inOneMongosh(uri);

  documents(script);
  transactionsAndCollections(script);
  administration(script);

  test('shows databases and collections', async () => {
    const collections = await mongosh(
      uri(),
      `use('shown'); db.ships.insertOne({}); db.ports.insertOne({});
      print(show('collections').value.map(({ name }) => name).join()); show('dbs')`,
    );
    assert.match(collections.stdout, /^ports,ships\n(.*\n)*shown +\S+ KiB$/m, collections.stderr);
  });
});

type Script = ReturnType<typeof inOneMongosh>;

function documents(script: Script): void {
  const reading = script(`
      use('crud');
      db.ships.insertMany([
        { _id: 1, name: 'Anna', sails: 3, tons: NumberLong('9007199254740993') },
        { _id: 2, name: 'Berta', sails: 1, tons: NumberDecimal('1.50') },
        { _id: 3, name: 'Clara', sails: 2, legs: [1, 2] },
      ]);
      const inc = db.ships.updateOne({ _id: 1 }, { $inc: { sails: 1 } });
      const all = db.ships.updateMany({}, [{ $set: { more: { $add: ['$sails', 1] } } }]);
      const upsert = db.ships.replaceOne({ _id: 9 }, { a: 1 }, { upsert: true });
      const answer = {
        counts: [inc.modifiedCount, all.modifiedCount, upsert.insertedId],
        after: db.ships.findOneAndUpdate({ _id: 3 }, { $push: { legs: 3 } }, { returnDocument: 'after' }).legs,
        gone: db.ships.findOneAndDelete({ _id: 9 }),
        names: db.ships.distinct('name'),
        tons: db.ships.find({}, { _id: 0, tons: 1 }).sort({ _id: 1 }).toArray(),
        many: db.ships.countDocuments({ sails: { $gte: 2 } }),
        about: db.ships.estimatedDocumentCount(),
      };`);
  test('writes and reads documents', async () => {
    const answer = await reading();
    assert.deepEqual(answer, {
      counts: [1, 3, 9],
      after: [1, 2, 3],
      gone: { _id: 9, a: 1 },
      names: ['Anna', 'Berta', 'Clara'],
      tons: [{ tons: 9007199254740992 }, { tons: { $numberDecimal: '1.50' } }, {}],
      many: 2,
      about: 3,
    });
  });

  const walking = script(`
      use('cursors');
      const bulk = db.c.bulkWrite([
        ...[1, 2, 3, 4, 5].map((_id) => ({ insertOne: { document: { _id } } })),
        { updateMany: { filter: { _id: { $gt: 2 } }, update: { $set: { late: true } } } },
        { deleteOne: { filter: { _id: 5 } } },
      ]);
      const unordered = db.c.initializeUnorderedBulkOp();
      unordered.insert({ _id: 6 });
      unordered.find({ _id: 1 }).updateOne({ $set: { a: 1 } });
      const cursor = db.c.find().sort({ _id: 1 }).batchSize(2);
      const seen = [];
      while (cursor.hasNext()) seen.push(cursor.next()._id);
      const answer = {
        bulk: [bulk.insertedCount, bulk.modifiedCount, bulk.deletedCount],
        unordered: [unordered.execute().insertedCount],
        seen,
        left: [cursor.isExhausted(), cursor.objsLeftInBatch()],
        mapped: db.c.find({ late: true }).map(({ _id }) => _id * 10).toArray(),
        window: db.c.find().sort({ _id: -1 }).skip(1).limit(2).toArray().map(({ _id }) => _id),
        secondary: db.c.find().readPref('secondary').readConcern('majority').itcount(),
        natural: db.c.find().hint({ $natural: -1 }).maxTimeMS(100000).comment('back').toArray()[0]._id,
      };`);
  test('iterates cursors, and sends bulk writes', async () => {
    const answer = await walking();
    assert.deepEqual(answer, {
      bulk: [5, 3, 1],
      unordered: [1],
      seen: [1, 2, 3, 4],
      left: [true, 0],
      mapped: [30, 40],
      window: [4, 3],
      secondary: 5,
      natural: 6,
    });
  });

  const planning = script(`
      use('plans');
      db.ships.insertMany(Array.from({ length: 50 }, (_, i) => ({ _id: i, port: i % 5, name: 'ship ' + i })));
      db.ports.insertMany([{ _id: 0, name: 'Visby' }, { _id: 1, name: 'Kalmar' }]);
      const made = [db.ships.createIndex({ name: 1 }, { unique: true }), ...db.ships.createIndexes([{ port: 1 }])];
      const refused = (() => {
        try { db.ships.insertOne({ name: 'ship 1' }); } catch (error) { return error.code; }
      })();
      const explained = db.ships.find({ port: 3 }).explain('executionStats');
      const answer = {
        made,
        refused,
        grouped: db.ships.aggregate([
          { $match: { port: { $lt: 2 } } },
          { $group: { _id: '$port', ships: { $sum: 1 } } },
          { $lookup: { from: 'ports', localField: '_id', foreignField: '_id', as: 'port' } },
          { $project: { _id: 0, ships: 1, port: { $first: '$port.name' } } },
          { $sort: { port: 1 } },
        ]).toArray(),
        documents: db.aggregate([{ $documents: [{ a: 1 }] }]).toArray(),
        plan: explained.queryPlanner.winningPlan.inputStage.indexName,
        examined: explained.executionStats.totalDocsExamined,
        counted: db.ships.explain().count({ port: 3 }).queryPlanner.winningPlan.stage,
        hidden: db.ships.hideIndex('port_1').hidden_new,
        dropped: db.ships.dropIndex('port_1').nIndexesWas,
        keys: db.ships.getIndexKeys(),
        used: db.ships.aggregate([{ $indexStats: {} }]).toArray().map(({ name }) => name).sort(),
      };`);
  test('aggregates, creates indexes and explains', async () => {
    const answer = await planning();
    assert.deepEqual(answer, {
      made: ['name_1', 'port_1'],
      refused: 11000,
      grouped: [
        { ships: 10, port: 'Kalmar' },
        { ships: 10, port: 'Visby' },
      ],
      documents: [{ a: 1 }],
      plan: 'port_1',
      examined: 10,
      counted: 'COUNT',
      hidden: true,
      dropped: 3,
      keys: [{ _id: 1 }, { name: 1 }],
      used: ['_id_', 'name_1'],
    });
  });
}

function transactionsAndCollections(script: Script): void {
  const transacting = script(`
      use('deals');
      db.ships.insertOne({ _id: 0 });
      const session = db.getMongo().startSession();
      const inside = session.getDatabase('deals').ships;
      const watch = db.ships.watch([{ $match: { operationType: 'insert' } }], { maxAwaitTimeMS: 500 });
      session.startTransaction();
      inside.insertOne({ _id: 1 });
      const seen = [inside.countDocuments(), db.ships.countDocuments()];
      session.commitTransaction();
      session.startTransaction();
      inside.insertOne({ _id: 2 });
      session.abortTransaction();
      session.withTransaction(() => inside.insertOne({ _id: 3 }));
      session.endSession();
      const events = [];
      while (events.length < 2) {
        const event = watch.tryNext();
        if (event) events.push([event.ns.coll, event.fullDocument._id]);
      }
      watch.close();
      const answer = { seen, ids: db.ships.find().sort({ _id: 1 }).toArray().map(({ _id }) => _id), events };`);
  test('commits and aborts transactions, and watches their changes', async () => {
    const answer = await transacting();
    assert.deepEqual(answer, {
      seen: [2, 1],
      ids: [0, 1, 3],
      events: [
        ['ships', 1],
        ['ships', 3],
      ],
    });
  });

  const making = script(`
      use('kinds');
      const schema = { bsonType: 'object', required: ['age'], properties: { age: { bsonType: 'int', minimum: 0 } } };
      db.createCollection('crew', { validator: { $jsonSchema: schema } });
      db.crew.insertMany([{ _id: 1, age: NumberInt(4) }, { _id: 2, age: NumberInt(40) }]);
      const refused = (() => {
        try { db.crew.insertOne({ age: -1 }); } catch ({ code, errInfo }) { return [code, errInfo.details.operatorName]; }
      })();
      db.createView('old', 'crew', [{ $match: { age: { $gt: 10 } } }]);
      db.createCollection('log', { capped: true, size: 4096, max: 2 });
      db.log.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
      db.createCollection('wind', { timeseries: { timeField: 't', metaField: 'at' } });
      db.wind.insertOne({ t: ISODate('2020-01-01'), at: 'mast', knots: 7 });
      const answer = {
        refused,
        off: [db.runCommand({ collMod: 'crew', validationLevel: 'off' }).ok, db.crew.insertOne({}).acknowledged],
        old: db.old.find().toArray(),
        log: [db.log.isCapped(), db.log.find().toArray().map(({ _id }) => _id)],
        wind: db.wind.findOne({}, { _id: 0, t: 0 }),
        types: db.getCollectionInfos({ name: { $in: ['crew', 'old', 'wind'] } }).map(({ type }) => type).sort(),
        renamed: db.log.renameCollection('diary').ok,
        names: db.getCollectionNames().filter((name) => !name.startsWith('system.')).sort(),
        stats: [db.stats().views, db.crew.stats().count, db.crew.isCapped(), db.crew.validate().valid],
        dropped: [db.diary.drop(), db.dropDatabase().ok, db.getCollectionNames()],
      };`);
  test('creates collections of every kind, and explains failed validations', async () => {
    const answer = await making();
    assert.deepEqual(answer, {
      refused: [121, '$jsonSchema'],
      off: [1, true],
      old: [{ _id: 2, age: 40 }],
      log: [true, [2, 3]],
      wind: { at: 'mast', knots: 7 },
      types: ['collection', 'timeseries', 'view'],
      renamed: 1,
      names: ['crew', 'diary', 'old', 'wind'],
      stats: [1, 3, false, true],
      dropped: [true, 1, []],
    });
  });
}

function administration(script: Script): void {
  const telling = script(`
      const refused = (() => {
        try { db.runCommand({ setSail: 1 }); } catch ({ code, codeName }) { return [code, codeName]; }
      })();
      const answer = {
        ping: db.adminCommand({ ping: 1 }).ok,
        version: db.version(),
        primary: db.hello().isWritablePrimary,
        states: rs.status().members.map(({ stateStr }) => stateStr).sort(),
        members: rs.conf().members.length,
        names: db.getMongo().getDBNames().filter((name) => ['admin', 'config', 'local'].includes(name)),
        status: [db.serverStatus().ok, db.hostInfo().ok, db.serverCmdLineOpts().ok, db.currentOp().ok],
        profiling: db.getProfilingStatus().was,
        refused,
      };`);
  test('shows server information', async () => {
    const answer = await telling();
    assert.deepEqual(answer, {
      ping: 1,
      version: '8.2.0',
      primary: true,
      states: ['PRIMARY', 'SECONDARY', 'SECONDARY'],
      members: 3,
      names: ['admin', 'config', 'local'],
      status: [1, 1, 1, 1],
      profiling: 0,
      refused: [59, 'CommandNotFound'],
    });
  });

  // Run this last, since it changes the user of the session.
  const logging = script(`
      const admin = db.getSiblingDB('admin');
      const privileges = [{ resource: { db: 'harbour', collection: 'ships' }, actions: ['find'] }];
      admin.createRole({ role: 'reader', privileges, roles: [] });
      admin.createUser({ user: 'sailor', pwd: 'knots', roles: ['reader'] });
      admin.grantRolesToUser('sailor', [{ role: 'read', db: 'quay' }]);
      admin.changeUserPassword('sailor', 'bends');
      const answer = {
        users: admin.getUsers().users.map(({ user }) => user).sort(),
        roles: admin.getUser('sailor').roles.map(({ role }) => role).sort(),
        privileges: admin.getRole('reader', { showPrivileges: true }).privileges,
      };
      admin.auth('sailor', 'bends');
      answer.who = db.runCommand({ connectionStatus: 1 }).authInfo.authenticatedUsers;
      answer.reads = db.getSiblingDB('harbour').ships.find().toArray();
      try { db.getSiblingDB('harbour').ships.insertOne({}); } catch ({ code }) { answer.writes = code; }`);
  test('creates users and roles, and logs in as one of them', async () => {
    const answer = await logging();
    assert.deepEqual(answer, {
      users: ['root', 'sailor'],
      roles: ['read', 'reader'],
      privileges: [{ resource: { db: 'harbour', collection: 'ships' }, actions: ['find'] }],
      who: [{ user: 'sailor', db: 'admin' }],
      reads: [],
      writes: 13,
    });
  });
}

own.onSetup('SQLite, one instance', 'mongosh on a managed cluster', (setup) => {
  test('shows the state of sharding', async () => {
    const project = await newProject(setup);
    const replicationSpecs = [
      {
        numShards: 2,
        regionsConfig: { US_EAST_1: { electableNodes: 3, priority: 7, readOnlyNodes: 0 } },
        zoneName: 'Zone 1',
      },
    ];
    const providerSettings = { providerName: 'AWS', instanceSizeName: 'M30' };
    const change = { clusterType: 'SHARDED', diskSizeGB: 40, replicationSpecs, providerSettings };
    const path = await newCluster(setup, project, 'sharded', change);
    const roles = ['readWriteAnyDatabase', 'enableSharding', 'clusterMonitor'];
    await newUser(setup, project, 'pilot', {
      roles: roles.map((roleName) => ({ roleName, databaseName: 'admin' })),
    });
    await allowAccess(setup, project, path);
    // Connect a driver and close it: connecting waits until the routers accept the new user.
    await (await driverFor(setup, path)).close();
    const { connectionStrings } = await idle(setup.owner, path);
    const credentials = `pilot:${encodeURIComponent(SAILOR.password)}@`;
    const answer = await askMongosh(
      (connectionStrings.standard ?? '').replace('//', `//${credentials}`),
      `
      sh.enableSharding('harbour');
      const sharded = sh.shardCollection('harbour.ships', { port: 'hashed' }).collectionsharded;
      const status = sh.status().value;
      const answer = {
        sharded,
        shards: status.shards.length,
        balancer: status.balancer['Currently enabled'],
        keys: status.databases.flatMap(({ collections }) =>
          Object.entries(collections).map(([name, { shardKey }]) => [name, shardKey])),
        refused: (() => {
          try { db.getSiblingDB('admin').createUser({ user: 'x', pwd: 'x', roles: [] }); }
          catch ({ code }) { return code; }
        })(),
      };`,
    );
    assert.deepEqual(answer, {
      sharded: 'harbour.ships',
      shards: 2,
      balancer: 'yes',
      keys: [['harbour.ships', { port: 'hashed' }]],
      refused: 8000,
    });
  });
});
