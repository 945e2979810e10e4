import { join } from 'node:path';
import { pytest, pythonOf, withPackages } from './python.ts';
import type { ClientSuite } from './suite.ts';

/**
 * The packages of beanie's extra `test` that its tests import. The other packages of the extra check types and format.
 */
const PACKAGES = [
  'pytest',
  'pytest-asyncio',
  'pytest-cov',
  'asgi-lifespan',
  'httpx',
  'fastapi<0.130.0',
  'pydantic-settings',
  'pydantic-extra-types',
  'pydantic[email]',
  'time-machine',
];

export const beanie: ClientSuite = {
  name: 'beanie',
  what: 'the tests of Beanie',
  source: 'github.com/BeanieODM/beanie',
  known: [],
  open: {},
  setUp: (places) => withPackages(places, ['-e', places.source, ...PACKAGES]),
  runs(places, { host, port }) {
    const report = join(places.own, 'report.xml');
    return [
      {
        program: pythonOf(places),
        args: pytest(report, '--no-cov', '--ignore=tests/typing', 'tests'),
        // One of beanie's tests expects the name of the database at the end of this URL.
        env: { MONGODB_DSN: `mongodb://${host}:${port}/beanie_db` },
        report,
      },
    ];
  },
};
