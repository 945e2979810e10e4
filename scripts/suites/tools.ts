import { join } from 'node:path';
import { goTests } from './go.ts';
import type { ClientSuite, KnownFailure } from './suite.ts';

/** The port on which the tests expect a server, whatever their settings say. */
const PORT = 33333;
const known: readonly KnownFailure[] = [
  ...[
    'integration/dumprestore › TestDumpRestore/TestRestoreTimeseriesCollectionsWithMixedSchema',
    'integration/exportimport › TestImportExport/TestTimeseries',
    'mongodump › TestMongoDumpMetaData',
    'mongodump › TestOplogDumpVectoredInsertsOplog',
    'mongodump › TestOplogDumpCollModIndexUniqueness',
    'mongodump › TestOplogDumpCollModTTL',
    'mongorestore › TestOplogRestoreVectoredInsert',
    'mongorestore › TestOplogRestoreCollModIndexUniqueness',
    'mongorestore › TestOplogRestoreCollModTTLIndex',
    'mongorestore › TestDumpRestoreSingleDBWithDBUsersAndRoles/*',
  ].map((test) => ({
    test: `*mongo-tools/${test}`,
    reason:
      'reads the feature compatibility version from `admin.system.version`, where the engine keeps it only once a command has set it',
  })),
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
