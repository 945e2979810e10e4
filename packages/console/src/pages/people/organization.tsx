import { useDocument } from '../../api/resources.ts';
import { useRights } from '../../api/rights.ts';
import { Problem } from '../../parts/problem.tsx';
import { View } from '../../parts/view.tsx';
import { AccessTabs } from './access-tabs.tsx';
import { ApiKeyPage } from './api-key.tsx';
import { ApiKeys } from './api-keys.tsx';
import { Invitations } from './invitations.tsx';
import { OrganizationMembers } from './organization-members.tsx';
import { type OrganizationPlace, organizationPlace } from './place.ts';
import { ServiceAccountPage } from './service-account.tsx';
import { ServiceAccounts } from './service-accounts.tsx';
import { TeamPage } from './team.tsx';
import { Teams } from './teams.tsx';

interface OrganizationAccessPageProps {
  readonly orgId: string;
  /** A tab, and the id of a team, key or account. */
  readonly place: readonly string[];
}

/** The people of an organization, their teams, and the programs that may call the API. */
export function OrganizationAccessPage({ orgId, place: [tab = 'people', id] }: OrganizationAccessPageProps) {
  const { data, error } = useDocument(`/orgs/${orgId}`);
  const may = useRights({ orgId });
  const place = organizationPlace(orgId, may('ORG_OWNER'));
  return (
    <View title={data ? `Access to ${data.name}` : 'Access'}>
      <Problem error={error} />
      <AccessTabs place={place} may={may} owner="ORG_OWNER" active={tab} tabs={tabsOf(place, id)} />
    </View>
  );
}

const tabsOf = (place: OrganizationPlace, id: string | undefined) =>
  ({
    people: ['People', () => <OrganizationMembers place={place} />],
    invitations: ['Invitations', () => <Invitations place={place} />],
    teams: ['Teams', () => (id === undefined ? <Teams place={place} /> : <TeamPage place={place} id={id} />)],
    keys: [
      'API keys',
      () => (id === undefined ? <ApiKeys place={place} /> : <ApiKeyPage place={place} id={id} />),
    ],
    accounts: [
      'Service accounts',
      () =>
        id === undefined ? <ServiceAccounts place={place} /> : <ServiceAccountPage place={place} id={id} />,
    ],
  }) as const;
