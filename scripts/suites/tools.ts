import { join } from 'node:path';
import { goTests } from './go.ts';
import type { ClientSuite, KnownFailure } from './suite.ts';

/** The port on which the tests expect a server, whatever their settings say. */
const PORT = 33333;
const TOOLS = '*mongo-tools';
const known: readonly KnownFailure[] = [
  {
    test: `${TOOLS}/mongodump › TestOplogDumpVectoredInsertsOplog`,
    reason: 'expects the inserts of a batch in one oplog entry; the engine shows an entry for each',
  },
  {
    test: `${TOOLS}/mongorestore › TestDumpRestoreSingleDBWithDBUsersAndRoles/*`,
    reason: 'restores all databases over time series that an earlier test leaves behind',
  },
  {
    test: `${TOOLS}/mongorestore › TestRestoreTimeseriesCollections/oplogReplay_and_system.buckets`,
    reason: 'replays oplog entries about buckets of time series, which the engine does not store',
  },
];

export const tools: ClientSuite = {
  name: 'tools',
  what: 'mongodump, mongorestore, mongoexport, mongoimport and mongofiles, the tests that need a server',
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
