import { Tab, Tabs, TabTitleText } from '@patternfly/react-core';
import { useLocation } from 'wouter';
import type { Cluster } from '../../api/resources.ts';
import { ClusterChoice, clusterPath } from '../../parts/cluster-choice.tsx';
import { View } from '../../parts/view.tsx';
import { CompliancePolicy } from './compliance-policy.tsx';
import { Exports } from './exports.tsx';
import { PointInTime } from './point-in-time.tsx';
import { Restores } from './restores.tsx';
import { ScheduleTab } from './schedule.tsx';
import { Snapshots } from './snapshots.tsx';

/** A cluster, and its path in the API. */
export interface BackupsProps {
  readonly groupId: string;
  readonly path: string;
  readonly cluster: Cluster;
}

const tabs = {
  snapshots: ['Snapshots', Snapshots],
  'point-in-time': ['Point in time', PointInTime],
  restores: ['Restores', Restores],
  schedule: ['Schedule', ScheduleTab],
  exports: ['Exports', Exports],
  'compliance-policy': ['Compliance policy', CompliancePolicy],
} as const;

interface BackupsPageProps {
  readonly groupId: string;
  /** The names of a cluster and a tab. */
  readonly place: readonly string[];
}

/** The backups of a cluster, and what the project requires of them. */
export function BackupsPage({ groupId, place: [name, tab = 'snapshots'] }: BackupsPageProps) {
  const [, go] = useLocation();
  const at = (...names: readonly string[]) =>
    [`/projects/${groupId}/backups`, ...names.map(encodeURIComponent)].join('/');
  return (
    <View title="Backups">
      <ClusterChoice groupId={groupId} name={name} at={(other) => at(other, tab)}>
        {(cluster) => (
          <Tabs
            aria-label="Views of the backups"
            activeKey={tab}
            onSelect={(_event, key) => go(at(cluster.name, String(key)))}
            mountOnEnter
            unmountOnExit
          >
            {Object.entries(tabs).map(([key, [title, Content]]) => (
              <Tab key={key} eventKey={key} title={<TabTitleText>{title}</TabTitleText>}>
                <div className="gap">
                  <Content groupId={groupId} path={clusterPath(groupId, cluster.name)} cluster={cluster} />
                </div>
              </Tab>
            ))}
          </Tabs>
        )}
      </ClusterChoice>
    </View>
  );
}
