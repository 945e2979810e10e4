import { Button } from '@patternfly/react-core';
import { apiRequest } from '../../api/requests.ts';
import { type Cluster, useChange } from '../../api/resources.ts';
import { regionsOf, useSimulation } from '../../api/simulation.ts';
import { clusterPath } from '../../parts/cluster-choice.tsx';
import { Moment } from '../../parts/date.tsx';
import { later } from '../../parts/later.tsx';
import { Paused } from '../../parts/paused.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Processes } from '../../parts/processes.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { outagesOf, type Outage as RegionOutage } from './survival.ts';

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
  const outages = outagesOf(cluster);
  const { providerName: cloudProvider = '' } = cluster.providerSettings;
  const start = (regionName: string) =>
    change.mutate(
      apiRequest('POST', path, { outageFilters: [{ cloudProvider, regionName, type: 'REGION' }] }),
    );
  if (cluster.paused) return <Paused groupId={groupId} cluster={cluster} to="simulate an outage" />;
  return (
    <>
      <p className="gap">
        An outage stops all nodes in a region. Drivers fail over if more than half of the nodes are in other
        regions.
      </p>
      <Unsurvived outages={outages} address={`#/projects/${groupId}/clusters/${of}`} />
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
        outages.map((outage) => (
          <p key={outage.region} className="gap buttons">
            <Button
              variant="danger"
              className="beside"
              isDisabled={!isRead || change.isPending}
              onClick={() => start(outage.region)}
            >
              Simulate outage of {outage.region}
            </Button>
            {effectOf(outage)}
          </p>
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

const effectOf = ({ electable, all, isSurvived }: RegionOutage): string =>
  `${electable} of ${all} electable nodes: ${isSurvived ? 'drivers fail over' : 'no primary remains'}`;

interface UnsurvivedProps {
  readonly outages: readonly RegionOutage[];
  /** The address of the page of the cluster. */
  readonly address: string;
}

/** If a cluster does not survive the outage of some region, says how to change the cluster so that it does. */
function Unsurvived({ outages, address }: UnsurvivedProps) {
  if (outages.every(({ isSurvived }) => isSurvived)) return null;
  if (outages.length > 1)
    return (
      <p className="gap">
        To make drivers fail over in each outage, <a href={address}>distribute the nodes</a> with “Change…”
        first: for example, one node in each of three regions.
      </p>
    );
  return (
    <p className="gap">
      All nodes of this cluster are in one region. During its outage, drivers cannot connect.{' '}
      <a href={address}>Add regions</a> with “Change…” first: for example, one node in each of three regions.
    </p>
  );
}
