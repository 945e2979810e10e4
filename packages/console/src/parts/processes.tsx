import { type Cluster, type Process, useList } from '../api/resources.ts';
import { type Column, DataTable } from './data-table.tsx';

const processColumns: readonly Column<Process>[] = [
  { title: 'Name', cell: ({ userAlias }) => userAlias },
  { title: 'Address', cell: ({ hostname, port }) => `${hostname}:${port}` },
  { title: 'Role', cell: ({ typeName }) => typeName },
  { title: 'Replica set', cell: ({ replicaSetName }) => replicaSetName },
  { title: 'Version', cell: ({ version }) => version },
];

interface ProcessesProps {
  readonly groupId: string;
  readonly cluster: Cluster;
}

/** Returns the processes of a cluster: those in its connection string, and others of the same replica sets. */
export function useProcesses(
  groupId: string,
  { connectionStrings: { standard = '' } }: Cluster,
  refreshMs?: number,
) {
  const { data, error } = useList(`/groups/${groupId}/processes`, true, refreshMs);
  const sets = new Set(
    data
      ?.filter(({ hostname, port }) => standard.includes(`${hostname}:${port}`))
      .map((one) => one.replicaSetName),
  );
  return { processes: data?.filter(({ replicaSetName }) => sets.has(replicaSetName)), error };
}

export function Processes({ groupId, cluster }: ProcessesProps) {
  const { processes, error } = useProcesses(groupId, cluster);
  return (
    <DataTable
      label="Processes"
      columns={processColumns}
      rows={processes}
      keyOf={({ id }) => id}
      error={error}
      empty="Processes are listed while the cluster runs."
    />
  );
}
