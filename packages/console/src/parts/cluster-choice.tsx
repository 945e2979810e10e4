import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { type Cluster, type ClusterPath, useList } from '../api/resources.ts';
import { Problem } from './problem.tsx';
import { SelectField } from './select-field.tsx';

/** Returns the path of a cluster in the API. */
export const clusterPath = (groupId: string, name: string): ClusterPath =>
  `/groups/${groupId}/clusters/${encodeURIComponent(name)}`;

interface ClusterChoiceProps {
  readonly groupId: string;
  /** The name of the chosen cluster; undefined for the first cluster. */
  readonly name: string | undefined;
  /** Returns the address of the same page for the cluster with this name. */
  readonly at: (name: string) => string;
  readonly children: (cluster: Cluster) => ReactNode;
}

/** A page about one cluster, with a choice among all clusters of the project. */
export function ClusterChoice({ groupId, name, at, children }: ClusterChoiceProps) {
  const [, go] = useLocation();
  const { data: clusters, error } = useList(`/groups/${groupId}/clusters`);
  const chosen = name === undefined ? clusters?.[0] : clusters?.find((one) => one.name === name);
  return (
    <>
      <Problem error={error} />
      {clusters?.length === 0 && (
        <p>
          This project has no clusters: <Link href={`/projects/${groupId}/clusters`}>create one</Link>.
        </p>
      )}
      {clusters !== undefined && clusters.length > 0 && (
        <SelectField
          id="cluster"
          label="Cluster"
          value={chosen?.name ?? name ?? ''}
          options={[...(chosen ? [] : [name ?? '']), ...clusters.map((cluster) => cluster.name)]}
          onChange={(other) => go(at(other))}
        />
      )}
      {clusters !== undefined && clusters.length > 0 && chosen === undefined && (
        <p>The project has no cluster {name}: choose another one.</p>
      )}
      {chosen && children(chosen)}
    </>
  );
}
