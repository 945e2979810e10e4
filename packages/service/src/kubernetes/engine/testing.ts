import { defaultImages, type ResourceSettings, type WantedCluster } from './wanted.ts';

export const testSettings: ResourceSettings = {
  namespacePrefix: 'portolan',
  images: defaultImages,
  expose: 'none',
  anyNode: false,
  deletesVolumes: false,
};

const size = { processors: 2, memoryGB: 8 };

/** A replica set of three nodes in one region. */
export const wantedCluster: WantedCluster = {
  id: '6b09fcbcd8f3f01d21dbe25d',
  projectId: '6b09fcbcd8f3f01d21dbe25c',
  name: 'Harbour',
  mark: 'a1b2c3',
  paused: false,
  majorVersion: '8.0',
  isPinned: false,
  isSharded: false,
  shards: [
    {
      regions: [{ name: 'eu-west-1', electable: 3, readOnly: 0, analytics: 0 }],
      ...{ size, analyticsSize: size },
    },
  ],
  diskGB: 40,
  arguments: {},
};
