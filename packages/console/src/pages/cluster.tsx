import { Button, Stack, StackItem, Title } from '@patternfly/react-core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Cluster, useChange, useDocument } from '../api/resources.ts';
import { Copied } from '../parts/copied.tsx';
import { Problem } from '../parts/problem.tsx';
import { Processes } from '../parts/processes.tsx';
import { StateLabel } from '../parts/state-label.tsx';
import { View } from '../parts/view.tsx';
import { Snapshots } from './backups/snapshots.tsx';
import { ClusterFacts } from './cluster-facts.tsx';
import { DeleteCluster } from './delete-cluster.tsx';

interface ClusterPageProps {
  readonly groupId: string;
  readonly name: string;
}

/** One cluster: its connection string, properties, processes and snapshots. */
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
        <Processes groupId={groupId} cluster={cluster} />
      </StackItem>
      <StackItem>
        <Snapshots groupId={groupId} path={path} cluster={cluster} />
      </StackItem>
    </Stack>
  );
}
