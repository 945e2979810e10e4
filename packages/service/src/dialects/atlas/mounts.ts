import type { Mount, MountAnswer } from '../../api/index.ts';

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

const empty: MountAnswer = { status: 200, headers: {}, body: '' };
