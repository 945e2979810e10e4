import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pythonOf, withPackages } from './python.ts';
import type { ClientSuite, KnownFailure } from './suite.ts';

/** These tests need GDAL, and a library for client-side encryption. */
const LEFT_OUT: ReadonlySet<string> = new Set(['gis_tests_', 'encryption_']);

const INDEXES = 'indexes_.test_search_indexes';
const DJANGO_TESTS = "imports the tests of Django, which are not in Django's package";

/** Known failures. A regression must not be added here. */
const known: readonly KnownFailure[] = [
  { test: 'unittest.loader._FailedTest.forms_tests_ › test_array', reason: DJANGO_TESTS },
  { test: 'invalid_models_tests_.test_autofield.ProhibitedFieldTests › *', reason: DJANGO_TESTS },
  ...['test_indexing_methods_*', 'test_multiple_fields', 'test_similarities_list'].map((name) => ({
    test: `${INDEXES}.VectorSearchIndexSchemaTests › ${name}`,
    reason: 'expects no fields beyond those that the local edition of Atlas lists, such as `statusDetail`',
  })),
  {
    test: `${INDEXES}.VectorSearchIndexSchemaTests › test_simple`,
    reason: 'creates a vector search index without a field of the type `vector`, which Atlas rejects',
  },
];

export const django: ClientSuite = {
  name: 'django',
  what: 'the tests of the Django backend without those of geographic fields and client-side encryption. They need Python 3.12',
  source: 'github.com/mongodb/django-mongodb-backend',
  known,
  setUp: (places) => withPackages(places, ['-e', places.source, 'unittest-xml-reporting'], 'python3.12'),
  runs: (places, { uri }) =>
    applicationsIn(places.source).map((application) => {
      const report = join(places.own, `${application}.xml`);
      const settings = ['--pythonpath', 'tests', '--settings', 'django_settings'];
      return {
        part: application,
        program: pythonOf(places),
        args: ['-m', 'django', 'test', '--noinput', ...settings, application],
        env: {
          PYTHONPATH: import.meta.dirname,
          PYTHONDONTWRITEBYTECODE: '1',
          MONGODB_URI: uri,
          TEST_APPLICATION: application,
          REPORT: report,
        },
        report,
      };
    }),
};

/** Each folder of tests is an application, and its name ends in an underscore. */
function applicationsIn(source: string): string[] {
  const names = readdirSync(join(source, 'tests'));
  return names.filter((name) => name.endsWith('_') && !LEFT_OUT.has(name)).sort();
}
