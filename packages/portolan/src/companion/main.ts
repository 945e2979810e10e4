import { runCompanion } from '@portolan/engine/companion/run-companion';

/** The companion process that runs the services of `start()`. */
await runCompanion(async (folder) => {
  const { Services } = await import('./services.ts');
  return new Services(folder);
});
