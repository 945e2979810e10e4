import { runCompanion } from '@portolan/engine/companion/run-companion';

/** The companion process of `start()`, which runs services. */
await runCompanion(async (folder) => {
  const { Services } = await import('./services.ts');
  return new Services(folder);
});
