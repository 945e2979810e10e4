/** `empty-database.ts FOLDER`: makes the database there that new services begin with; see `EMPTY_DATABASE`. */
import { basename, join } from 'node:path';
import { EMPTY_DATABASE, migrationsOf } from '../../src/migrations.ts';
import { loadFamilies } from '../../src/resources/load.ts';
import { machineClock, serviceClock } from '../../src/runtime/clock.ts';
import { ids } from '../../src/runtime/ids.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { openStore } from '../../src/store/index.ts';

const machine = machineClock();
const random = systemRandom();
const store = await openStore({
  ...{ machine, random },
  database: { file: join(process.argv[2] ?? '', basename(EMPTY_DATABASE)) },
  clock: serviceClock(machine),
  ids: ids(machine.now, random),
  log: silentLog(),
  migrations: migrationsOf(await loadFamilies()),
});
// The last connection to a database writes its log into the file and removes it.
await store.close();
