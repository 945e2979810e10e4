import { useLocation } from 'wouter';
import type { GroupPath } from '../../api/resources.ts';
import { useProjectRights } from '../../api/rights.ts';
import { MissingRole } from '../../parts/restricted.tsx';
import { TabView } from '../../parts/tab-view.tsx';
import { View } from '../../parts/view.tsx';
import { ConfigurationPage } from './configuration.tsx';
import { Configurations } from './configurations.tsx';
import { Integrations } from './integrations.tsx';
import { OpenAlerts } from './open-alerts.tsx';

interface AlertsPageProps {
  readonly groupId: string;
  /** The parts of the page's address: a tab, and the id of a configuration or `new`. */
  readonly place: readonly string[];
}

/** Properties that all tabs of the page have. */
export interface AlertsProps {
  /** The path of the project in the API. */
  readonly group: GroupPath;
  /** The address of the page. */
  readonly address: string;
  readonly isOwner: boolean;
}

/** The alerts of a project, and the configurations that determine who is notified. */
export function AlertsPage({ groupId, place: [tab = 'alerts', id] }: AlertsPageProps) {
  const [, go] = useLocation();
  const may = useProjectRights(groupId);
  const address = `/projects/${groupId}/alerts`;
  const props = { group: `/groups/${groupId}` as const, address, isOwner: may('GROUP_OWNER') };
  return (
    <View title="Alerts">
      <MissingRole
        may={may}
        roles={['GROUP_OWNER']}
        to="acknowledge alerts, and to change configurations and integrations"
      />
      <TabView
        label="Parts of alerting"
        active={tab}
        onSelect={(key) => go(key === 'alerts' ? address : `${address}/${key}`)}
        tabs={{
          alerts: ['Alerts', () => <OpenAlerts {...props} />],
          configurations: [
            'Configurations',
            () =>
              id === undefined ? <Configurations {...props} /> : <ConfigurationPage {...props} id={id} />,
          ],
          integrations: ['Integrations', () => <Integrations {...props} />],
        }}
      />
    </View>
  );
}
