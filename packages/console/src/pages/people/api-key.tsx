import { Link } from 'wouter';
import { useDocument } from '../../api/resources.ts';
import { rolesText } from '../../api/roles.ts';
import { Facts } from '../../parts/facts.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Problem } from '../../parts/problem.tsx';
import { AddressList } from './address-list.tsx';
import { type OrganizationPlace, rolesIn } from './place.ts';

interface ApiKeyPageProps {
  readonly place: OrganizationPlace;
  readonly id: string;
}

/** One key of an organization, and the addresses from which it may be used. */
export function ApiKeyPage({ place, id }: ApiKeyPageProps) {
  const path = `${place.path}/apiKeys/${id}` as const;
  const { data, error } = useDocument(path);
  return (
    <>
      <Link href={`${place.address}/keys`}>All API keys</Link>
      <Problem error={error} />
      {data && (
        <>
          <Heading title={data.publicKey} />
          <Facts
            facts={[
              ['Purpose', data.desc],
              ['Private key', data.privateKey],
              ['Roles in the organization', rolesText(rolesIn(place, data.roles))],
            ]}
          />
          <AddressList path={`${path}/accessList`} isOwner={place.isOwner} />
        </>
      )}
    </>
  );
}
