import { useLocation } from 'wouter';
import { useProjectRights } from '../../api/rights.ts';
import { ClusterChoice } from '../../parts/cluster-choice.tsx';
import { MissingRole, Restricted } from '../../parts/restricted.tsx';
import { TabView } from '../../parts/tab-view.tsx';
import { View } from '../../parts/view.tsx';
import { AccessHistory } from './access-history.tsx';
import { Auditing } from './auditing.tsx';
import { Maintenance } from './maintenance.tsx';
import { Migrations } from './migrations.tsx';
import { Outage } from './outage.tsx';

interface OperationsPageProps {
  readonly groupId: string;
  /** A tab, followed by the name of a cluster or the id of a migration. */
  readonly place: readonly string[];
}

/** Operations for special occasions: outages, migrations, audits, maintenance. */
export function OperationsPage({ groupId, place: [tab = 'outage', inside] }: OperationsPageProps) {
  const [, go] = useLocation();
  const at = (...names: readonly string[]) =>
    [`/projects/${groupId}/operations`, ...names.map(encodeURIComponent)].join('/');
  const may = useProjectRights(groupId);
  const choice = { groupId, name: inside, at: (name: string) => at(tab, name) };
  return (
    <View title="Operations">
      <TabView
        label="Kinds of operations"
        active={tab}
        onSelect={(key) => go(at(key))}
        tabs={{
          outage: [
            'Outage simulation',
            () => (
              <Restricted may={may} roles={['GROUP_OWNER']}>
                {() => (
                  <ClusterChoice {...choice}>
                    {(cluster) => <Outage groupId={groupId} cluster={cluster} />}
                  </ClusterChoice>
                )}
              </Restricted>
            ),
          ],
          logins: [
            'Access history',
            () => (
              <Restricted may={may} roles={['GROUP_MONITORING_ADMIN', 'GROUP_DATABASE_ACCESS_ADMIN']}>
                {() => (
                  <ClusterChoice {...choice}>
                    {(cluster) => <AccessHistory groupId={groupId} cluster={cluster} />}
                  </ClusterChoice>
                )}
              </Restricted>
            ),
          ],
          auditing: [
            'Auditing',
            () => (
              <Restricted may={may} roles={['GROUP_OWNER']}>
                {() => <Auditing groupId={groupId} />}
              </Restricted>
            ),
          ],
          maintenance: [
            'Maintenance',
            () => (
              <Restricted may={may} roles={['GROUP_OWNER']}>
                {() => <Maintenance groupId={groupId} />}
              </Restricted>
            ),
          ],
          migrations: [
            'Live migrations',
            () => (
              <>
                <MissingRole may={may} roles={['ORG_OWNER']} to="start, cut over and cancel migrations" />
                <Migrations
                  groupId={groupId}
                  id={inside}
                  isOwner={may('ORG_OWNER')}
                  onStarted={(id) => go(at('migrations', id))}
                />
              </>
            ),
          ],
        }}
      />
    </View>
  );
}
