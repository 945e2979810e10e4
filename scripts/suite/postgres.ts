/** The environment variable with the URL of a database server, for a user that may create databases. */
export const POSTGRES_SETTING = 'PORTOLAN_TEST_POSTGRES';
/** The variable with the URL of a server that stops at the end of the run, so that tests need not clean up. */
const OF_RUN_SETTING = 'PORTOLAN_TEST_POSTGRES_OF_RUN';

/** The database server of a run. */
export interface RunningPostgres {
  /** Resolves when tests can use the server; rejects if it does not start. */
  readonly ready: Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Starts the server in parallel with the tests, if one of the files needs it. If the environment variable names a
 * server, uses that one.
 */
export function postgresFor(files: readonly string[], users: ReadonlySet<string>): RunningPostgres {
  const isNeeded = files.some((file) => users.has(file)) && !process.env[POSTGRES_SETTING];
  const starting = isNeeded ? start() : Promise.resolve(undefined);
  // Avoid an unhandled rejection. Code that awaits the promise still gets the error.
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
