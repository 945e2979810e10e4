/** Reasons for which tests of several drivers fail. */
export const PUBLIC_NAMES = "resolves public DNS names of the driver's authors";
export const IN_CONTAINER =
  'expects driver metadata without the name of a container, so it fails in a container';
export const WITHOUT_SEARCH = 'expects the error of a server without search';
export const WITHOUT_BACKPRESSURE =
  'sets `ingressConnectionEstablishmentRateLimiterEnabled`; the engine does not limit the rate of connections';
export const TEST_COMMAND =
  'runs `testVersion2`, a command that exists only for tests of the reference server';
