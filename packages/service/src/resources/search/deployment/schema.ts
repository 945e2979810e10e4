import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, Id, Links } from '../../../api/fields.ts';

/** Sizes of search nodes by hardware class. */
const sizes = {
  HIGHCPU_NVME: [20, 30, 40, 50, 60, 70, 80],
  LOWCPU_NVME: [30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 135, 140],
  STORAGE_NVME: [40, 50, 60, 80, 90],
} as const;

type Sizes = typeof sizes;
export type SearchNodeSize = {
  [Class in keyof Sizes]: `S${Sizes[Class][number]}_${Class}`;
}[keyof Sizes];

const sizeNames = Object.entries(sizes).flatMap(([name, numbers]) =>
  numbers.map((number) => `S${number}_${name}` as SearchNodeSize),
);

const size = Choice(sizeNames, {
  description: 'Size of the search nodes; S20_HIGHCPU_NVME is the smallest.',
});
const nodeCount = Type.Integer({
  minimum: 2,
  maximum: 32,
  description: 'Number of search nodes. Each node is a thread of the engine host.',
});

const Spec = Type.Object({ instanceSize: size, nodeCount });

export const SearchDeploymentRequest = Type.Object(
  {
    specs: Type.Array(Spec, {
      minItems: 1,
      maxItems: 1,
      description: 'Size and number of the search nodes: exactly one entry.',
    }),
  },
  { description: 'The requested search nodes of a cluster.' },
);

const EffectiveSpec = Type.Object({
  cloudProvider: Choice(['AWS', 'AZURE', 'GCP']),
  instanceSize: size,
  nodeCount,
  regionName: Type.String(),
});

/** The search nodes of a cluster; empty if there are none. */
export const SearchDeployment = entity(
  Type.Partial(
    Type.Object({
      effectiveSpecs: Type.Array(EffectiveSpec, {
        description: 'Search nodes in each region of the cluster.',
      }),
      encryptionAtRestProvider: Choice(['NONE', 'AWS', 'AZURE', 'GCP'], {
        description: 'Provider whose key protects the search indexes: the same as for the cluster.',
      }),
      groupId: Id(),
      id: Id(),
      links: Links,
      specs: Type.Array(Spec, { description: 'Requested size and number of the search nodes.' }),
      stateName: Choice(['IDLE', 'PAUSED', 'UPDATING'], {
        description: '`IDLE`: the search nodes serve searches. `PAUSED`: the cluster is paused.',
      }),
    }),
    { description: 'The search nodes of a cluster.' },
  ),
  {
    name: 'searchDeployment',
    self: 'getPlatformSearchDeployment',
    params: () => ({}),
    mayBeEmpty: true,
  },
);
