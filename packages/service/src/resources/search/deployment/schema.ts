import Type from 'typebox';
import { Choice, Id } from '../../../api/fields.ts';

/** Sizes of search nodes, by the hardware that they have much of. */
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

const size = Choice(sizeNames, { description: 'S20_HIGHCPU_NVME is the smallest.' });
const nodeCount = Type.Integer({ minimum: 2, maximum: 32, description: 'Threads that search.' });

const Spec = Type.Object({ instanceSize: size, nodeCount });

export const SearchDeploymentRequest = Type.Object(
  {
    specs: Type.Array(Spec, { minItems: 1, maxItems: 1, description: 'How many nodes, and of which size.' }),
  },
  { description: 'Nodes that do nothing but search.' },
);

const EffectiveSpec = Type.Object({
  cloudProvider: Choice(['AWS', 'AZURE', 'GCP']),
  instanceSize: size,
  nodeCount,
  regionName: Type.String(),
});

/** Nothing is in it where the cluster has none. */
export const SearchDeployment = Type.Partial(
  Type.Object({
    effectiveSpecs: Type.Array(EffectiveSpec, {
      description: 'What there is in each region of the cluster.',
    }),
    encryptionAtRestProvider: Choice(['NONE', 'AWS', 'AZURE', 'GCP'], {
      description: 'Whose key the indexes are encrypted with: that of the cluster.',
    }),
    groupId: Id(),
    id: Id(),
    specs: Type.Array(Spec),
    stateName: Choice(['IDLE', 'PAUSED', 'UPDATING']),
  }),
  { description: 'Search nodes of a cluster.' },
);
