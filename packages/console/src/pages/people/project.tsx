import { type Project, useDocument } from '../../api/resources.ts';
import { useRights } from '../../api/rights.ts';
import { Problem } from '../../parts/problem.tsx';
import { View } from '../../parts/view.tsx';
import { AccessTabs } from './access-tabs.tsx';
import { ApiKeys } from './api-keys.tsx';
import { Invitations } from './invitations.tsx';
import { type ProjectPlace, projectPlace } from './place.ts';
import { ProjectMembers } from './project-members.tsx';
import { ProjectTeams } from './project-teams.tsx';
import { ServiceAccountPage } from './service-account.tsx';
import { ServiceAccounts } from './service-accounts.tsx';

interface ProjectPeoplePageProps {
  readonly groupId: string;
  /**
   * The last segments of the page's address: the name of a tab and, in the tab of service accounts, the id of an
   * account.
   */
  readonly place: readonly string[];
}

/** The people of a project, and the programs that may call the API. */
export function ProjectPeoplePage({ groupId, place: names }: ProjectPeoplePageProps) {
  const { data, error } = useDocument(`/groups/${groupId}`);
  return (
    <View title="People and keys">
      <Problem error={error} />
      {data && <ProjectTabs project={data} names={names} />}
    </View>
  );
}

interface ProjectTabsProps {
  readonly project: Project;
  readonly names: readonly string[];
}

function ProjectTabs({ project: { id: groupId, orgId }, names: [tab = 'people', id] }: ProjectTabsProps) {
  const may = useRights({ orgId, groupId });
  const place = projectPlace(orgId, groupId, may('GROUP_OWNER'));
  return <AccessTabs place={place} may={may} owner="GROUP_OWNER" active={tab} tabs={tabsOf(place, id)} />;
}

const tabsOf = (place: ProjectPlace, id: string | undefined) =>
  ({
    people: ['People', () => <ProjectMembers place={place} />],
    invitations: ['Invitations', () => <Invitations place={place} />],
    teams: ['Teams', () => <ProjectTeams place={place} />],
    keys: ['API keys', () => <ApiKeys place={place} />],
    accounts: [
      'Service accounts',
      () =>
        id === undefined ? <ServiceAccounts place={place} /> : <ServiceAccountPage place={place} id={id} />,
    ],
  }) as const;
