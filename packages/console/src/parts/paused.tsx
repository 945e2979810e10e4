import { Link } from 'wouter';
import type { Cluster } from '../api/resources.ts';

interface PausedProps {
  readonly groupId: string;
  readonly cluster: Cluster;
  /** What the person can do after the cluster is resumed, such as `see its data`. */
  readonly to: string;
}

/** Says that a cluster is paused, and where to resume it. */
export function Paused({ groupId, cluster: { name }, to }: PausedProps) {
  return (
    <p className="gap">
      The cluster is paused.{' '}
      <Link href={`/projects/${groupId}/clusters/${encodeURIComponent(name)}`}>Resume it</Link> to {to}.
    </p>
  );
}
