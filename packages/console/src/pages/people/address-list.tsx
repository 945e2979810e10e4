import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { useList } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Remove } from '../../parts/remove.tsx';
import { AddAddress } from '../database-access/add-address.tsx';
import type { AddressListPath } from './place.ts';

/** The entries of API keys and of service accounts have different fields. */
type Address = Partial<Schemas['ApiKeyAddressEntry'] & Schemas['ServiceAccountAddressEntry']>;

interface AddressListProps {
  readonly path: AddressListPath;
  readonly isOwner: boolean;
}

/** The addresses from which a key or service account may call. */
export function AddressList({ path, isOwner }: AddressListProps) {
  const { data, error } = useList(path);
  const [isAdding, setAdding] = useState(false);
  const nameOf = ({ ipAddress, cidrBlock = '' }: Address) => ipAddress ?? cidrBlock;
  return (
    <>
      <Heading title="Access list">
        {isOwner && (
          <Button variant="secondary" onClick={() => setAdding(true)}>
            Add address
          </Button>
        )}
      </Heading>
      <DataTable<Address>
        label="Addresses"
        columns={[
          { title: 'Address', cell: nameOf },
          { title: 'Requests', cell: ({ count, requestCount }) => count ?? requestCount },
          { title: 'Last used', cell: ({ lastUsed, lastUsedAt }) => <Moment at={lastUsed ?? lastUsedAt} /> },
          {
            title: 'Action',
            cell: (entry) =>
              isOwner && (
                <Remove
                  name={nameOf(entry)}
                  change={apiRequest('DELETE', `${path}/${encodeURIComponent(nameOf(entry))}`)}
                  consequence="If the list contains other addresses, the service rejects requests from this one."
                />
              ),
          },
        ]}
        rows={data}
        keyOf={nameOf}
        error={error}
        empty="Without entries, requests from all addresses are accepted, unless the organization requires an access list."
      />
      {isAdding && <AddAddress path={path} hasComment={false} onClose={() => setAdding(false)} />}
    </>
  );
}
