import { Button } from '@patternfly/react-core';
import { apiRequest } from '../../api/requests.ts';
import { type Cluster, useChange } from '../../api/resources.ts';
import { regionsOf, useSimulation } from '../../api/simulation.ts';
import { clusterPath } from '../../parts/cluster-choice.tsx';
import { Moment } from '../../parts/date.tsx';
import { later } from '../../parts/later.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Processes } from '../../parts/processes.tsx';
import { StateLabel } from '../../parts/state-label.tsx';

const ReadPanel = later(async () => (await import('../cluster/reads/read-panel.tsx')).ReadPanel);

interface OutageProps {
  readonly groupId: string;
  readonly cluster: Cluster;
}

/** Stops the nodes of a region, and shows how the others take over. */
export function Outage({ groupId, cluster }: OutageProps) {
  const of = encodeURIComponent(cluster.name);
  const path = `${clusterPath(groupId, cluster.name)}/outageSimulation` as const;
  const { running, isRead, error } = useSimulation(groupId, cluster);
  const change = useChange();
  const regions = [
    ...new Set((cluster.replicationSpecs ?? []).flatMap((one) => Object.keys(one.regionsConfig ?? {}))),
  ];
  const { providerName: cloudProvider = '' } = cluster.providerSettings;
  const start = (regionName: string) =>
    change.mutate(
      apiRequest('POST', path, { outageFilters: [{ cloudProvider, regionName, type: 'REGION' }] }),
    );
  return (
    <>
      <p className="gap">
        An outage stops all nodes in a region. Drivers fail over if more than half of the nodes are in other
        regions.
      </p>
      {regions.length === 1 && <OneRegion address={`#/projects/${groupId}/clusters/${of}`} />}
      <Problem error={error ?? change.error} />
      {running ? (
        <>
          <p>
            <StateLabel state={running.state} /> {regionsOf(running)} since{' '}
            <Moment at={running.startRequestDate} />
          </p>
          <Button
            className="gap"
            onClick={() => change.mutate(apiRequest('DELETE', path))}
            isDisabled={running.state !== 'SIMULATING'}
          >
            End outage
          </Button>
        </>
      ) : (
        regions.map((region) => (
          <Button
            key={region}
            variant="danger"
            className="beside"
            isDisabled={!isRead || change.isPending}
            onClick={() => start(region)}
          >
            Simulate outage of {region}
          </Button>
        ))
      )}
      <ReadPanel
        key={cluster.id}
        groupId={groupId}
        cluster={cluster}
        isDisturbed={running !== undefined || change.isPending}
      />
      <Processes groupId={groupId} cluster={cluster} />
    </>
  );
}

function OneRegion({ address }: { readonly address: string }) {
  return (
    <p className="gap">
      All nodes of this cluster are in one region. During its outage, drivers cannot connect.{' '}
      <a href={address}>Add regions</a> with “Change…” first.
    </p>
  );
}
