import { join } from 'node:path';
import { pytest, pythonOf, withPackages } from './python.ts';
import type { ClientSuite, KnownFailure } from './suite.ts';

const known: readonly KnownFailure[] = [
  {
    test: 'tests.test_connection.ConnectionTest › test_multiple_connection_settings',
    reason: 'expects a member with the name `localhost`; in the engine, the name of a member is its address',
  },
];

export const mongoengine: ClientSuite = {
  name: 'mongoengine',
  what: 'the tests of MongoEngine',
  source: 'github.com/MongoEngine/mongoengine',
  known,
  open: {},
  setUp: (places) => withPackages(places, ['-e', `${places.source}[test]`]),
  runs(places, { port }) {
    const report = join(places.own, 'report.xml');
    return [
      {
        program: pythonOf(places),
        args: pytest(report, '-p', 'usual_port', 'tests'),
        env: {
          PYTHONPATH: import.meta.dirname,
          PYTHONDONTWRITEBYTECODE: '1',
          ENGINE_PORT: String(port),
        },
        report,
      },
    ];
  },
};
