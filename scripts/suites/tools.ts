import { join } from 'node:path';
import { goTests } from './go.ts';
import type { ClientSuite, KnownFailure } from './suite.ts';

/** The port on which the tests expect a server, whatever their settings say. */
const PORT = 33333;
const TOOLS = '*mongo-tools';
const known: readonly KnownFailure[] = [
  {
    test: `${TOOLS}/mongodump › TestOplogDumpVectoredInsertsOplog`,
    reason:
      'expects one oplog entry for the inserts of a batch; the oplog of the engine has one entry per insert',
  },
  {
    test: `${TOOLS}/mongorestore › TestDumpRestoreSingleDBWithDBUsersAndRoles/*`,
    reason:
      'restores all databases, although an earlier test has left time-series collections with the same names',
  },
  {
    test: `${TOOLS}/mongorestore › TestRestoreTimeseriesCollections/oplogReplay_and_system.buckets`,
    reason: 'replays oplog entries about buckets of time series, which the engine does not store',
  },
];

export const tools: ClientSuite = {
  name: 'tools',
  what: 'the tests of mongodump, mongorestore, mongoexport, mongoimport and mongofiles that need a server',
  source: 'github.com/mongodb/mongo-tools',
  known,
  open: { port: PORT },
  setUp: () => [],
  runs({ own }) {
    const report = join(own, 'report.jsonl');
    return [
      {
        ...goTests(report, ['./common/...', './integration/...', './mongo...'], '-tags=failpoints'),
        env: {
          TOOLS_TESTING_INTEGRATION: 'true',
          TOOLS_TESTING_REPLSET: 'true',
        },
      },
    ];
  },
};
