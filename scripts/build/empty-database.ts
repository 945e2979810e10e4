/** `empty-database.ts FOLDER` creates the database that new services copy; see `EMPTY_DATABASE`. */
import { mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { machineClock, serviceClock } from '../../packages/foundation/src/clock.ts';
import { ids } from '../../packages/foundation/src/ids.ts';
import { silentLog } from '../../packages/foundation/src/log.ts';
import { systemRandom } from '../../packages/foundation/src/random.ts';
import { EMPTY_DATABASE, migrationsOf } from '../../packages/service/src/boot/migrations.ts';
import { loadFamilies } from '../../packages/service/src/resources/load.ts';
import { openStore } from '../../packages/service/src/store/index.ts';
import { builtPath } from './bundle.ts';

const root = dirname(dirname(import.meta.dirname));
const file = join(process.argv[2] ?? '', builtPath(relative(root, EMPTY_DATABASE), 'portolan'));
mkdirSync(dirname(file), { recursive: true });
const machine = machineClock();
const random = systemRandom();
const store = await openStore({
  ...{ machine, random },
  database: { file },
  clock: serviceClock(machine),
  ids: ids(machine.now, random),
  log: silentLog(),
  migrations: migrationsOf(await loadFamilies()),
});
// This closes the last connection, so SQLite checkpoints the write-ahead log and removes its file.
await store.close();
