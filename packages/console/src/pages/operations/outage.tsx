import { Button } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { ApiError, call } from '../../api/client.ts';
import { type Cluster, useChange } from '../../api/resources.ts';
import { clusterPath } from '../../parts/cluster-choice.tsx';
import { Moment } from '../../parts/date.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Processes } from '../../parts/processes.tsx';
import { StateLabel } from '../../parts/state-label.tsx';

interface OutageProps {
  readonly groupId: string;
  readonly cluster: Cluster;
}

interface Simulation {
  readonly state: string;
  readonly startRequestDate: string;
  readonly outageFilters: readonly { readonly regionName: string }[];
}

const REFRESH_MS = 1000;

/** The simulated outage of a cluster; null if there is none. */
function useSimulation(path: string) {
  return useQuery({
    queryKey: ['document', path],
    queryFn: async () => {
      try {
        return await call<Simulation>('GET', path);
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    refetchInterval: REFRESH_MS,
  });
}

/** Stops the nodes of a region, and shows how the others take over. */
export function Outage({ groupId, cluster }: OutageProps) {
  const of = encodeURIComponent(cluster.name);
  const path = `${clusterPath(groupId, cluster.name)}/outageSimulation`;
  const { data, error } = useSimulation(path);
  const change = useChange();
  const regions = [
    ...new Set((cluster.replicationSpecs ?? []).flatMap((one) => Object.keys(one.regionsConfig))),
  ];
  const { providerName: cloudProvider } = cluster.providerSettings;
  const start = (regionName: string) =>
    change.mutate({
      method: 'POST',
      path,
      body: { outageFilters: [{ cloudProvider, regionName, type: 'REGION' }] },
    });
  const isRunning = data !== undefined && data !== null && data.state !== 'COMPLETE';
  return (
    <>
      <p className="gap">
        An outage stops all nodes in a region. Drivers fail over if more than half of the nodes are elsewhere.
      </p>
      {regions.length === 1 && <OneRegion address={`#/projects/${groupId}/clusters/${of}`} />}
      <Problem error={error ?? change.error} />
      {isRunning ? (
        <>
          <p>
            <StateLabel state={data.state} />{' '}
            {data.outageFilters.map(({ regionName }) => regionName).join(', ')} since{' '}
            <Moment at={data.startRequestDate} />
          </p>
          <Button
            className="gap"
            onClick={() => change.mutate({ method: 'DELETE', path })}
            isDisabled={data.state !== 'SIMULATING'}
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
            isDisabled={data === undefined || change.isPending}
            onClick={() => start(region)}
          >
            Simulate outage of {region}
          </Button>
        ))
      )}
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
