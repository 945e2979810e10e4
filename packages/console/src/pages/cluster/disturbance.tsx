import { Alert } from '@patternfly/react-core';
import { Link } from 'wouter';
import type { Cluster } from '../../api/resources.ts';
import { useProjectRights } from '../../api/rights.ts';
import { regionsOf, useSimulation } from '../../api/simulation.ts';

interface DisturbanceProps {
  readonly groupId: string;
  readonly cluster: Cluster;
}

/** Says why nodes of a cluster do not run, and where the user finds more. */
export function Disturbance({ groupId, cluster }: DisturbanceProps) {
  const may = useProjectRights(groupId);
  const { running } = useSimulation(groupId, cluster, may('GROUP_OWNER'));
  const project = `/projects/${groupId}`;
  if (running)
    return (
      <Alert isInline variant="warning" title={`An outage of ${regionsOf(running)} is simulated.`}>
        <Link href={`${project}/operations/outage/${encodeURIComponent(cluster.name)}`}>
          Open the outage simulation
        </Link>
      </Alert>
    );
  if (cluster.stateName !== 'REPAIRING') return null;
  return (
    <Alert isInline variant="warning" title="Some nodes do not run. The service is starting them again.">
      <Link href={`${project}/events`}>The events of the project contain the reason</Link>
    </Alert>
  );
}
