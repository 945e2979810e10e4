import { runCompanion } from './run-companion.ts';

/** The companion process of `@portolan/engine`, which runs databases. */
await runCompanion(async (folder, clock) => {
  const { Databases } = await import('./databases.ts');
  const databases = new Databases(folder, clock);
  databases.prepare();
  return databases;
});
