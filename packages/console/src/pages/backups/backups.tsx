import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { Cluster, ClusterPath } from '../../api/resources.ts';
import { type May, useProjectRights } from '../../api/rights.ts';
import { ClusterChoice, clusterPath } from '../../parts/cluster-choice.tsx';
import { Restricted } from '../../parts/restricted.tsx';
import { TabView } from '../../parts/tab-view.tsx';
import { View } from '../../parts/view.tsx';
import { CompliancePolicy } from './compliance-policy.tsx';
import { Exports } from './exports.tsx';
import { PointInTime } from './point-in-time.tsx';
import { Restores } from './restores.tsx';
import { ScheduleTab } from './schedule.tsx';
import { Snapshots } from './snapshots.tsx';

/** A cluster and its path in the API. */
export interface BackupsProps {
  readonly groupId: string;
  readonly path: ClusterPath;
  readonly cluster: Cluster;
  readonly may: May;
}

const restricted =
  (props: BackupsProps, roles: readonly string[], Content: (props: BackupsProps) => ReactNode) => () => (
    <Restricted may={props.may} roles={roles}>
      {() => <Content {...props} />}
    </Restricted>
  );

const tabsOf = (props: BackupsProps) =>
  ({
    snapshots: ['Snapshots', () => <Snapshots {...props} />],
    'point-in-time': ['Point in time', () => <PointInTime {...props} />],
    restores: ['Restores', restricted(props, ['GROUP_BACKUP_MANAGER'], Restores)],
    schedule: ['Schedule', () => <ScheduleTab {...props} />],
    exports: ['Exports', () => <Exports {...props} />],
    'compliance-policy': ['Compliance policy', restricted(props, ['GROUP_OWNER'], CompliancePolicy)],
  }) as const;

interface BackupsPageProps {
  readonly groupId: string;
  /** The names of a cluster and of a tab. */
  readonly place: readonly string[];
}

/** The backups of a cluster, and the compliance policy of its project. */
export function BackupsPage({ groupId, place: [name, tab = 'snapshots'] }: BackupsPageProps) {
  const [, go] = useLocation();
  const may = useProjectRights(groupId);
  const at = (...names: readonly string[]) =>
    [`/projects/${groupId}/backups`, ...names.map(encodeURIComponent)].join('/');
  return (
    <View title="Backups">
      <ClusterChoice groupId={groupId} name={name} at={(other) => at(other, tab)}>
        {(cluster) => (
          <TabView
            label="Views of the backups"
            active={tab}
            onSelect={(key) => go(at(cluster.name, key))}
            tabs={tabsOf({ groupId, path: clusterPath(groupId, cluster.name), cluster, may })}
          />
        )}
      </ClusterChoice>
    </View>
  );
}
