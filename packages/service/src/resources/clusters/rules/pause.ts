import { type ClusterModel, hasLocalDisks } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';

const MS_PER_MINUTE = 60_000;
/** Minutes that must pass between a resume and the next pause. */
const PAUSE_AFTER_RESUME_MINUTES = 60;

/** A request body, or only those fields of a body whose values differ from the cluster. */
interface PauseBody {
  readonly paused?: boolean;
}

/** Whether a body pauses a running cluster. Throws if the cluster cannot be paused at the moment. */
export function requestsPause(body: PauseBody, cluster: ClusterModel, now: Date): boolean {
  if (body.paused !== true) return false;
  if (cluster.paused) throw clusterFaults.CLUSTER_ALREADY_PAUSED(cluster.name);
  if (Object.keys(body).length > 1) throw clusterFaults.CANNOT_UPDATE_AND_PAUSE_CLUSTER(cluster.name);
  if (cluster.spec.tenant) throw clusterFaults.TENANT_CLUSTER_UPDATE_UNSUPPORTED();
  if (hasLocalDisks(cluster.spec)) throw clusterFaults.CANNOT_PAUSE_NVME_CLUSTER();
  const rested = (now.getTime() - (cluster.resumed?.getTime() ?? Number.NEGATIVE_INFINITY)) / MS_PER_MINUTE;
  if (rested < PAUSE_AFTER_RESUME_MINUTES) {
    throw clusterFaults.CANNOT_PAUSE_RECENTLY_RESUMED_CLUSTER(PAUSE_AFTER_RESUME_MINUTES);
  }
  return true;
}

/** Whether a body only sets `paused` to false. */
export function isResumption(body: PauseBody): boolean {
  return body.paused === false && Object.keys(body).length === 1;
}

/** Whether a body resumes a paused cluster. Throws if the cluster is paused and the body does not resume it. */
export function requestsResumption(body: PauseBody, cluster: ClusterModel): boolean {
  if (!cluster.paused) return false;
  if (body.paused !== false) throw clusterFaults.CANNOT_UPDATE_PAUSED_CLUSTER(cluster.name);
  return true;
}
