import type { Mount, MountAnswer } from '../../api/index.ts';
import { NEWEST_VERSION } from '../../api/versions.ts';

/** Defaults that the vendor's tools request. */
interface Defaults {
  /** Major version of clusters: `8.0`. */
  readonly majorVersion: string;
}

/** Endpoints outside of the API that the vendor's tools call without credentials. */
export function atlasMounts({ majorVersion }: Defaults): readonly Mount[] {
  return [
    {
      id: 'callerAddress',
      method: 'GET',
      path: '/api/private/ipinfo',
      handle: async ({ address }) => ({ ...empty, document: { currentIpv4Address: address } }),
    },
    {
      id: 'defaultMajorVersion',
      method: 'GET',
      path: '/api/private/unauth/nds/defaultMongoDBMajorVersion',
      handle: async () => ({ ...empty, headers: { 'content-type': 'text/plain' }, body: majorVersion }),
    },
    {
      id: 'serviceVersion',
      method: 'GET',
      path: '/api/private/unauth/version',
      handle: async () => ({ ...empty, headers: { 'x-mongodb-service-version': SERVICE_VERSION } }),
    },
    ...['v1.0', 'unauth'].map(
      (access): Mount => ({
        id: 'discardTelemetry',
        method: 'POST',
        path: `/api/private/${access}/telemetry/events`,
        handle: async () => empty,
      }),
    ),
  ];
}

/** Value of a header in which clients look for a date. It contains the date of the newest resource version. */
const SERVICE_VERSION = `gitHash=0; versionString=v${NEWEST_VERSION.replaceAll('-', '')}`;

const empty: MountAnswer = { status: 200, headers: {}, body: '' };
