import { parseArgs } from 'node:util';
import { KilledMigrations, victims } from '../support/killed-migrations.ts';
import { dice } from '../support/random.ts';
import { scopeOf } from '../support/service.ts';

/** Kills processes of a migration at twenty random moments, or during some minutes. */
const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, minutes: { type: 'string', default: '10' } },
});
const KILLS = 20;
const end = performance.now() + Number(values.minutes) * 60_000;
const chance = dice(Number(values.seed));
const undo: (() => unknown)[] = [];
const scope = scopeOf({ after: (run) => void undo.push(run) });
let kills = 0;
try {
  const migrations = await KilledMigrations.begin(scope, Number(values.seed));
  while (kills < KILLS || performance.now() < end) {
    const dying = Array.from({ length: 2 }, () => victims[chance.below(victims.length)] ?? 'service');
    await migrations.round(dying);
    kills += dying.length;
    console.log(dying.join(', '));
  }
} catch (error) {
  console.log(error);
  process.exitCode = 1;
}
console.log(`${kills} kills`);
for (const run of undo) await run();
