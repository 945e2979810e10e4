import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Cluster } from '../../api/resources.ts';
import { useProjectRights } from '../../api/rights.ts';
import { type Column, PagedTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { MissingRole } from '../../parts/restricted.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { View } from '../../parts/view.tsx';
import { CreateCluster } from './create-cluster.tsx';
import { placeOf } from './regions.ts';

const columnsOf = (groupId: string): readonly Column<Cluster>[] => [
  {
    title: 'Name',
    cell: ({ name }) => (
      <Link href={`/projects/${groupId}/clusters/${encodeURIComponent(name)}`}>{name}</Link>
    ),
  },
  {
    title: 'State',
    cell: ({ paused, stateName }) => <StateLabel state={paused ? 'PAUSED' : stateName} />,
  },
  { title: 'Type', width: 15, cell: ({ clusterType }) => clusterType },
  { title: 'Size', cell: ({ providerSettings }) => providerSettings.instanceSizeName },
  { title: 'Region', cell: placeOf },
  { title: 'Version', cell: ({ dbVersion }) => dbVersion },
  { title: 'Created', cell: ({ createDate }) => <Moment at={createDate} /> },
];

export function ClustersPage({ groupId }: { readonly groupId: string }) {
  const may = useProjectRights(groupId);
  const [isCreating, setCreating] = useState(false);
  return (
    <View
      title="Clusters"
      actions={may('GROUP_OWNER') && <Button onClick={() => setCreating(true)}>Create cluster</Button>}
    >
      <MissingRole may={may} roles={['GROUP_OWNER']} to="create clusters" />
      <PagedTable
        label="Clusters"
        columns={columnsOf(groupId)}
        path={`/groups/${groupId}/clusters`}
        keyOf={({ id }) => id}
        empty="Create a cluster; drivers can connect to it within seconds."
      />
      {isCreating && <CreateCluster groupId={groupId} onClose={() => setCreating(false)} />}
    </View>
  );
}
