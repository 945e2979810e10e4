import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../api/fields.ts';
import { outageStates } from './states.ts';

const OutageFilter = Type.Object({
  cloudProvider: Choice(['AWS', 'AZURE', 'GCP']),
  regionName: Type.String({ maxLength: 64, description: 'Region of the cluster, such as EU_WEST_1.' }),
  type: Type.Optional(Choice(['REGION'], { description: 'Type of the filter; REGION is the only one.' })),
});

/** A simulated outage of some of a cluster's regions. */
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
        description: 'Regions whose members are stopped.',
      }),
      startRequestDate: readOnly(DateTime()),
      state: readOnly(
        Choice(outageStates, {
          description: 'State of the simulation. SIMULATING: the members are stopped.',
        }),
      ),
    },
    {
      description:
        'An outage simulation: the members of a cluster in chosen regions are stopped until the simulation ends.',
    },
  ),
  {
    name: 'outageSimulation',
    self: 'getOutageSimulation',
    params: ({ groupId = '', clusterName = '' }) => ({ groupId, clusterName }),
  },
);
export type OutageSimulation = Type.Static<typeof OutageSimulation>;
