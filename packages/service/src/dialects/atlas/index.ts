import type { Dialect } from '../../api/dialect/dialect.ts';
import { entities } from './entities.ts';
import { operations } from './operations.ts';
import { supportOf } from './support.ts';
import { unserved } from './unserved.ts';
import { faultWords, words } from './words.ts';

/** The vendor's form of the API. The vendor's clients work with it without changes. */
export const atlasDialect: Dialect = {
  name: 'atlas',
  bases: {
    legacy: '/api/atlas/v1.0',
    dated: { '/api/atlas/v1.5': '2023-02-01' },
    versioned: '/api/atlas/v2',
    documents: '/api/atlas/openapi',
    referencePage: '/api/atlas/docs',
  },
  title: 'MongoDB Atlas Administration API',
  mediaPrefix: 'atlas',
  changes: {
    words,
    faults: faultWords,
    entities,
    operations,
    support: supportOf,
    unserved,
    isLenient: true,
    formerSegments: { whitelist: 'accessList' },
  },
};
