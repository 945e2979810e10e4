import { Button, Stack, StackItem, Title } from '@patternfly/react-core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { apiRequest } from '../../api/requests.ts';
import { type Cluster, type ClusterPath, useChange, useDocument } from '../../api/resources.ts';
import { useProjectRights } from '../../api/rights.ts';
import { clusterManagers } from '../../api/roles.ts';
import { clusterPath } from '../../parts/cluster-choice.tsx';
import { Copied } from '../../parts/copied.tsx';
import { later } from '../../parts/later.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Processes } from '../../parts/processes.tsx';
import { MissingRole, Restricted } from '../../parts/restricted.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { TabView } from '../../parts/tab-view.tsx';
import { View } from '../../parts/view.tsx';
import { Snapshots } from '../backups/snapshots.tsx';
import { ClusterFacts } from './cluster-facts.tsx';
import { DeleteCluster } from './delete-cluster.tsx';
import { Disturbance } from './disturbance.tsx';
import { Logs } from './logs.tsx';
import { Measurements } from './measurements.tsx';
import { ResizeCluster } from './resize-cluster.tsx';
import { Topology } from './topology.tsx';

const ReadPanel = later(async () => (await import('./reads/read-panel.tsx')).ReadPanel);

interface ClusterPageProps {
  readonly groupId: string;
  readonly name: string;
  readonly tab: string | undefined;
}

/** One cluster: its connection string, properties, processes, snapshots and measurements. */
export function ClusterPage({ groupId, name, tab = 'overview' }: ClusterPageProps) {
  const path = clusterPath(groupId, name);
  const { data: cluster, error } = useDocument(path);
  const [, go] = useLocation();
  const may = useProjectRights(groupId);
  const failover = useChange();
  const clusters = `/projects/${groupId}/clusters`;
  return (
    <View
      title={name}
      actions={cluster && <Actions groupId={groupId} path={path} cluster={cluster} failover={failover} />}
    >
      <Problem error={error} />
      <MissingRole may={may} roles={clusterManagers} to="change, pause or fail over the cluster" />
      <MissingRole may={may} roles={['GROUP_OWNER']} to="delete the cluster or load sample data" />
      {cluster && (
        <TabView
          label="Views of the cluster"
          active={tab}
          onSelect={(key) => go(`${clusters}/${encodeURIComponent(name)}/${key}`)}
          tabs={{
            overview: [
              'Overview',
              () => (
                <ClusterDetail
                  groupId={groupId}
                  path={path}
                  cluster={cluster}
                  mayRead={may('GROUP_DATA_ACCESS_READ_ONLY')}
                  isFailingOver={failover.isPending}
                />
              ),
            ],
            logs: [
              'Logs',
              () => (
                <Restricted may={may} roles={['GROUP_DATA_ACCESS_READ_ONLY']}>
                  {() => <Logs groupId={groupId} cluster={cluster} />}
                </Restricted>
              ),
            ],
            measurements: ['Measurements', () => <Measurements groupId={groupId} cluster={cluster} />],
          }}
        />
      )}
    </View>
  );
}

interface ClusterProps {
  readonly groupId: string;
  readonly path: ClusterPath;
  readonly cluster: Cluster;
}

interface ActionsProps extends ClusterProps {
  readonly failover: ReturnType<typeof useChange>;
}

function Actions({ groupId, path, cluster, failover }: ActionsProps) {
  const [dialog, setDialog] = useState<'delete' | 'resize'>();
  const [, go] = useLocation();
  const change = useChange();
  const { name, paused, stateName } = cluster;
  const isIdle = stateName === 'IDLE';
  const may = useProjectRights(groupId);
  const isOwner = may('GROUP_OWNER');
  const isManager = clusterManagers.some(may);
  const button = (title: string, act: () => void, isReady: boolean) => (
    <Button variant="secondary" className="beside" onClick={act} isDisabled={!isReady || change.isPending}>
      {title}
    </Button>
  );
  return (
    <>
      {isManager && button('Change…', () => setDialog('resize'), isIdle && !paused)}
      {isManager &&
        button(
          'Fail over',
          () => failover.mutate(apiRequest('POST', `${path}/restartPrimaries`)),
          isIdle && !paused && !failover.isPending,
        )}
      {isOwner &&
        button(
          'Load sample data',
          () =>
            change.mutate(
              apiRequest('POST', `/groups/${groupId}/sampleDatasetLoad/${encodeURIComponent(name)}`),
            ),
          isIdle && !paused,
        )}
      {isManager &&
        button(
          paused ? 'Resume' : 'Pause',
          () => change.mutate(apiRequest('PATCH', path, { paused: !paused })),
          isIdle,
        )}
      {isOwner && (
        <Button variant="danger" onClick={() => setDialog('delete')}>
          Delete
        </Button>
      )}
      <Problem error={change.error ?? failover.error} />
      {dialog === 'resize' && (
        <ResizeCluster groupId={groupId} path={path} cluster={cluster} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'delete' && (
        <DeleteCluster
          path={path}
          name={name}
          onDeleted={() => go(`/projects/${groupId}/clusters`)}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}

interface ClusterDetailProps extends ClusterProps {
  readonly mayRead: boolean;
  readonly isFailingOver: boolean;
}

function ClusterDetail({ groupId, path, cluster, mayRead, isFailingOver }: ClusterDetailProps) {
  return (
    <Stack hasGutter>
      <StackItem>
        <StateLabel state={cluster.paused ? 'PAUSED' : cluster.stateName} />
        <Disturbance groupId={groupId} cluster={cluster} />
      </StackItem>
      <StackItem>
        <Title headingLevel="h2" className="gap">
          Connect
        </Title>
        <Connect groupId={groupId} cluster={cluster} />
      </StackItem>
      <StackItem>
        <ClusterFacts cluster={cluster} />
      </StackItem>
      <StackItem>
        <Title headingLevel="h2">Topology</Title>
        <Topology cluster={cluster} />
      </StackItem>
      <StackItem>
        <Title headingLevel="h2">Processes</Title>
        <Processes groupId={groupId} cluster={cluster} />
      </StackItem>
      {mayRead && !cluster.paused && (
        <StackItem>
          <ReadPanel groupId={groupId} cluster={cluster} isDisturbed={isFailingOver} />
        </StackItem>
      )}
      <StackItem>
        <Snapshots groupId={groupId} path={path} cluster={cluster} />
      </StackItem>
    </Stack>
  );
}

function Connect({ groupId, cluster: { name, connectionStrings } }: Omit<ClusterProps, 'path'>) {
  const { standard, standardSrv } = connectionStrings;
  const address = standardSrv ?? standard;
  if (address === undefined) return <p>The connection string is shown when the cluster runs.</p>;
  const of = encodeURIComponent(name);
  return (
    <Stack hasGutter>
      <Copied label="connection string" text={address} />
      <Copied label="mongosh command" text={`mongosh '${address}' --username NAME`} />
      <p>
        Drivers need a database user and an address on the access list:{' '}
        <a href={`#/projects/${groupId}/access`}>Database access</a>. In the browser:{' '}
        <a href={`#/projects/${groupId}/data/${of}`}>Data</a>,{' '}
        <a href={`#/projects/${groupId}/backups/${of}`}>Backups</a>,{' '}
        <a href={`#/projects/${groupId}/operations/outage/${of}`}>Outage simulation</a>
      </p>
    </Stack>
  );
}
