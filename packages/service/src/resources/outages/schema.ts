import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../api/fields.ts';
import { outageStates } from './states.ts';

const OutageFilter = Type.Object({
  cloudProvider: Choice(['AWS', 'AZURE', 'GCP']),
  regionName: Type.String({ maxLength: 64, description: 'A region of the cluster: EU_WEST_1.' }),
  type: Type.Optional(Choice(['REGION'], { description: 'REGION, which is all there is.' })),
});

/** Regions of a cluster whose members do not run. */
export const OutageSimulation = entity(
  Type.Object(
    {
      clusterName: readOnly(Type.String()),
      groupId: readOnly(Id()),
      id: readOnly(Id()),
      links: Links,
      outageFilters: Type.Array(OutageFilter, {
        minItems: 1,
        maxItems: 100,
        description: 'The regions whose members are stopped, each once.',
      }),
      startRequestDate: readOnly(DateTime()),
      state: readOnly(Choice(outageStates)),
    },
    { description: 'An outage of some regions of a cluster: their members are stopped until it ends.' },
  ),
  {
    name: 'outageSimulation',
    self: 'getOutageSimulation',
    params: ({ groupId = '', clusterName = '' }) => ({ groupId, clusterName }),
  },
);
export type OutageSimulation = Type.Static<typeof OutageSimulation>;
