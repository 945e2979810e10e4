import { Button, Stack, StackItem, Title } from '@patternfly/react-core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Cluster, type Process, useChange, useDocument, useList } from '../api/resources.ts';
import { Copied } from '../parts/copied.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Problem } from '../parts/problem.tsx';
import { StateLabel } from '../parts/state-label.tsx';
import { View } from '../parts/view.tsx';
import { Snapshots } from './backups/snapshots.tsx';
import { ClusterFacts } from './cluster-facts.tsx';
import { DeleteCluster } from './delete-cluster.tsx';

interface ClusterPageProps {
  readonly groupId: string;
  readonly name: string;
}

/** One cluster: how to connect, what it is, its processes and its snapshots. */
export function ClusterPage({ groupId, name }: ClusterPageProps) {
  const path = `/groups/${groupId}/clusters/${encodeURIComponent(name)}`;
  const { data: cluster, error } = useDocument<Cluster>(path);
  const [isDeleting, setDeleting] = useState(false);
  const [, go] = useLocation();
  const change = useChange();
  const pause = () => change.mutate({ method: 'PATCH', path, body: { paused: cluster?.paused !== true } });
  return (
    <View
      title={name}
      actions={
        cluster && (
          <>
            <Button
              variant="secondary"
              onClick={pause}
              isLoading={change.isPending}
              isDisabled={cluster.stateName !== 'IDLE'}
            >
              {cluster.paused ? 'Resume' : 'Pause'}
            </Button>{' '}
            <Button variant="danger" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </>
        )
      }
    >
      <Problem error={error ?? change.error} />
      {cluster && <ClusterDetail groupId={groupId} path={path} cluster={cluster} />}
      {isDeleting && (
        <DeleteCluster
          path={path}
          name={name}
          onDeleted={() => go(`/projects/${groupId}/clusters`)}
          onClose={() => setDeleting(false)}
        />
      )}
    </View>
  );
}

interface ClusterDetailProps {
  readonly groupId: string;
  readonly path: string;
  readonly cluster: Cluster;
}

function ClusterDetail({ groupId, path, cluster }: ClusterDetailProps) {
  const { standard, standardSrv } = cluster.connectionStrings;
  const address = standardSrv ?? standard;
  return (
    <Stack hasGutter>
      <StackItem>
        <StateLabel state={cluster.paused ? 'PAUSED' : cluster.stateName} />
      </StackItem>
      <StackItem>
        <Title headingLevel="h2">Connect</Title>
        {address === undefined ? (
          <p>The connection string is shown when the cluster runs.</p>
        ) : (
          <Stack hasGutter>
            <Copied label="connection string" text={address} />
            <Copied label="mongosh command" text={`mongosh '${address}' --username NAME`} />
            <p>
              Drivers need a database user and an address on the access list:{' '}
              <a href={`#/projects/${groupId}/access`}>Database access</a>
            </p>
          </Stack>
        )}
      </StackItem>
      <StackItem>
        <ClusterFacts cluster={cluster} />
      </StackItem>
      <StackItem>
        <Title headingLevel="h2">Processes</Title>
        <Processes groupId={groupId} address={standard} />
      </StackItem>
      <StackItem>
        <Snapshots groupId={groupId} path={path} cluster={cluster} />
      </StackItem>
    </Stack>
  );
}

const processColumns: readonly Column<Process>[] = [
  { title: 'Address', cell: ({ hostname, port }) => `${hostname}:${port}` },
  { title: 'Role', cell: ({ typeName }) => typeName },
  { title: 'Replica set', cell: ({ replicaSetName }) => replicaSetName },
  { title: 'Version', cell: ({ version }) => version },
];

interface ProcessesProps {
  readonly groupId: string;
  /** The connection string, which names the processes of the cluster. */
  readonly address: string | undefined;
}

function Processes({ groupId, address = '' }: ProcessesProps) {
  const { data, error } = useList<Process>(`/groups/${groupId}/processes?itemsPerPage=500`);
  const sets = new Set(
    data
      ?.filter(({ hostname, port }) => address.includes(`${hostname}:${port}`))
      .map((one) => one.replicaSetName),
  );
  return (
    <DataTable
      label="Processes"
      columns={processColumns}
      rows={data?.filter(({ replicaSetName }) => sets.has(replicaSetName))}
      keyOf={({ id }) => id}
      error={error}
      empty="Processes are listed while the cluster runs."
    />
  );
}
