/** The environment variable with the server's URL, for a user that may create databases. */
export const POSTGRES_SETTING = 'PORTOLAN_TEST_POSTGRES';
/** The variable with the URL of a server that ends with the run, so that tests need not clean up. */
const OF_RUN_SETTING = 'PORTOLAN_TEST_POSTGRES_OF_RUN';

/** A database server for one run. */
export interface RunningPostgres {
  /** Resolves when tests can use it; rejects if it could not be started. */
  readonly ready: Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts the server in parallel with the tests, or uses the one that the environment variable names. */
export function postgresFor(files: readonly string[], users: ReadonlySet<string>): RunningPostgres {
  const isNeeded = files.some((file) => users.has(file)) && !process.env[POSTGRES_SETTING];
  const starting = isNeeded ? start() : Promise.resolve(undefined);
  // The rejection reaches those that await it; without a handler until then, it would end the process.
  starting.catch(() => {});
  return {
    ready: starting,
    async stop() {
      const server = await starting.catch(() => undefined);
      await server?.stop();
    },
  };
}

async function start() {
  const { startPostgres } = await import('../../test/support/postgres.ts');
  const server = await startPostgres();
  process.env[POSTGRES_SETTING] = server.url;
  process.env[OF_RUN_SETTING] = server.url;
  return server;
}
