import { after, before, describe, test } from 'node:test';
import { KilledMigrations, type Victim } from './support/killed-migrations.ts';
import { scopeOf } from './support/service.ts';

/** `npm run soak -- killed-migrations` kills other processes, at other times. */
const rounds: ReadonlyArray<readonly Victim[]> = [
  ['migration host', 'migration host'],
  ['destination', 'service'],
  ['source', 'migration host'],
];

describe('killed migrations', () => {
  const scope = scopeOf({ after });
  let migrations: KilledMigrations;
  before(async () => {
    migrations = await KilledMigrations.begin(scope, 11);
  });
  for (const dying of rounds)
    test(`lose and duplicate nothing: ${dying.join(', ')}`, () => migrations.round(dying));
});
