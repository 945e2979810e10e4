import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { useList } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Remove } from '../../parts/remove.tsx';
import { AddAddress } from '../database-access/add-address.tsx';

interface Address {
  readonly cidrBlock: string;
  readonly ipAddress?: string;
  /** Number of requests, in entries of API keys. */
  readonly count?: number;
  readonly lastUsed?: string;
  /** Number of requests, in entries of service accounts. */
  readonly requestCount?: number;
  readonly lastUsedAt?: string;
}

interface AddressListProps {
  readonly path: string;
  readonly isOwner: boolean;
}

/** The addresses from which a key or service account may call. */
export function AddressList({ path, isOwner }: AddressListProps) {
  const { data, error } = useList<Address>(path);
  const [isAdding, setAdding] = useState(false);
  const nameOf = ({ ipAddress, cidrBlock }: Address) => ipAddress ?? cidrBlock;
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
                  change={{ method: 'DELETE', path: `${path}/${encodeURIComponent(nameOf(entry))}` }}
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
