/**
 * Tests that `npm test` leaves to `npm test -- --long`, because they take half of the time of all tests, or need a
 * network. A run that names a part of a path includes them.
 */
const LONG: readonly RegExp[] = [
  // Tests of the console and of the API reference in a browser. The tests of the sessions of the console run in `npm test`.
  /^test\/(?:console(?!-sessions)|reference-page\.)/,
  // Tests that kill processes during long tasks, tests of stopped services, of damaged files and of full disks.
  /^test\/(?:killed-|stopped-services\.|repairs\.|full-disks)/,
  // The data directories of former versions.
  /^test\/former-data\./,
  // A query thread that does not respond, until the engine host ends it in machine time.
  /^packages\/engine\/src\/client\/stuck\./,
  // Logins at the server of an identity provider.
  /^test\/federated-login\./,
  // Measurements, which the service takes in machine time.
  /^test\/monitoring\./,
  // Databases with a standby, whose servers take seconds to start.
  /^(?:test\/moving-databases|packages\/service\/src\/store\/postgres\/standby)\./,
  // Deployments outside Portolan, for which servers are started.
  /^test\/(?:adopted-|engine-claims\.|engines-walk\.)/,
  // Installations of the packed packages with npm, the tour, and third-party programs that are installed from a package
  // registry.
  /^test\/(?:package|examples|mongosh|pymongo|mcp-server|tour)\./,
  /^packages\/service\/src\/objects\/emulators\./,
  // Requests that follow every link, generated and hostile requests and unsound texts to every operation, every role with
  // every operation, requests that change every field, random faults during requests, the search for secrets in all files,
  // and many long statements that share a thread.
  /^test\/(?:browse|fault-suite|generated-requests|hostile-texts|planted-secrets|read-only-fields)\./,
  /^test\/(?:roles|round-trips|unsound-texts)\./,
  /^packages\/engine\/src\/worker\/turns\./,
  // Thousands of malformed messages, and hostile texts whose analysis is timed.
  /^packages\/engine\/src\/(?:client\/malformed|search\/analysis\/hostile)\./,
  // Migrations, whose tests copy databases again and again, and outages.
  /^test\/(?:live-migrations|sharded-migrations|migration-links|outages)\./,
  // Downloads of snapshots, exports of every type of value, export buckets of three cloud providers, the metrics of search
  // indexes, thirty days of service time, and rejected secrets, which are retried in machine time.
  /^test\/(?:downloads|exports|export-buckets|search-metrics|idle-clusters|rejected-secrets)\./,
  // Commands of npm that start the service from source, and whole checks of small projects.
  /^test\/starting-commands\./,
  /^scripts\/check\./,
  // The comparison of the types that arguments accept with `docs/argument-types`.
  /^scripts\/argument-types\//,
];

export function isLong(path: string): boolean {
  return LONG.some((pattern) => pattern.test(path));
}
