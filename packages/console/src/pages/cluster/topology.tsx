import type { Cluster } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';

interface RegionRow {
  readonly zone: string;
  readonly region: string;
  readonly shards: number;
  readonly electable: number;
  readonly readOnly: number;
  readonly analytics: number;
  readonly priority: number;
}

/** Where the nodes of a cluster are. The primary is in the region with the highest priority. */
export function Topology({ cluster: { replicationSpecs = [] } }: { readonly cluster: Cluster }) {
  const rows = replicationSpecs.flatMap(({ zoneName = '', numShards = 1, regionsConfig = {} }) =>
    Object.entries(regionsConfig).map(
      ([region, { electableNodes = 0, readOnlyNodes = 0, analyticsNodes = 0, priority = 0 }]): RegionRow => ({
        zone: zoneName,
        region,
        shards: numShards,
        electable: electableNodes,
        readOnly: readOnlyNodes,
        analytics: analyticsNodes,
        priority,
      }),
    ),
  );
  return (
    <DataTable<RegionRow>
      label="Regions"
      columns={[
        { title: 'Zone', cell: ({ zone }) => zone },
        { title: 'Region', cell: ({ region }) => region },
        { title: 'Shards', cell: ({ shards }) => shards },
        { title: 'Electable', cell: ({ electable }) => electable },
        { title: 'Read-only', cell: ({ readOnly }) => readOnly },
        { title: 'Analytics', cell: ({ analytics }) => analytics },
        { title: 'Priority', cell: ({ priority }) => priority },
      ]}
      rows={rows.toSorted((one, other) => other.priority - one.priority)}
      keyOf={({ zone, region }) => `${zone} ${region}`}
      empty="Regions are listed for dedicated clusters."
    />
  );
}
