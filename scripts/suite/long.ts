/**
 * Tests that `npm test` leaves to `npm test -- --long`, because they take a third of the time of all tests, or need a
 * network. A run that names a part of a path includes them.
 */
const LONG: readonly RegExp[] = [
  // Tests of single pages of the console. The tests of people, of sessions, and of the main jobs in the browser run in
  // `npm test`.
  /^test\/console-(?!people|sessions)/,
  // Tests that kill processes at every step of long tasks, and tests of full disks.
  /^test\/(?:killed-|full-disks)/,
  // Databases with a standby, whose servers take seconds to start.
  /^(?:test\/moving-databases|packages\/service\/src\/store\/postgres\/standby)\./,
  // Deployments outside Portolan, for which servers are started.
  /^test\/adopted-/,
  // Installations of the packed packages with npm, and third-party programs that are installed from a package registry.
  /^test\/(?:package|examples|mongosh|pymongo)\./,
  /^packages\/service\/src\/objects\/emulators\./,
  // Generated and hostile requests to every operation, and many long statements that share a thread.
  /^test\/(?:generated-requests|hostile-texts)\./,
  /^packages\/engine\/src\/worker\/turns\./,
  // Export buckets of three cloud providers, migrations of sharded clusters, and thirty days of service time.
  /^test\/(?:export-buckets|sharded-migrations|idle-clusters)\./,
  // The comparison of the types that arguments accept with `docs/argument-types`.
  /^scripts\/argument-types\//,
];

export function isLong(path: string): boolean {
  return LONG.some((pattern) => pattern.test(path));
}
