import ipaddr from 'ipaddr.js';
import type { AddressRestriction } from '../../access/stored-accounts.ts';
import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { fields } from '../shared/fields.ts';

const restrictionFields = fields('authenticationRestrictions', {
  clientSource: 'array',
  serverAddress: 'array',
});

/** Parses the client and server addresses from which a user may authenticate. */
export function restrictionsIn(list: readonly Value[] | undefined): AddressRestriction[] | undefined {
  return list?.map((entry) => {
    if (entry.type !== bsonTypes.object) {
      throw new ServerError('BadValue', 'authenticationRestrictions is an array of documents');
    }
    const { clientSource, serverAddress } = restrictionFields.read(documentOf(entry));
    if (clientSource === undefined && serverAddress === undefined) {
      throw new ServerError(
        'CollectionIsEmpty',
        'restriction document must contain at least one restriction',
      );
    }
    return {
      ...(clientSource ? { clientSource: clientSource.map(range) } : {}),
      ...(serverAddress ? { serverAddress: serverAddress.map(range) } : {}),
    };
  });
}

function range(value: Value): string {
  const text = value.type === bsonTypes.string ? textOf(value) : '';
  if (ipaddr.isValid(text) || ipaddr.isValidCIDR(text)) return text;
  throw new ServerError('UnsupportedFormat', `'${text}' is not an address or a range of addresses`);
}

export function textsIn(list: readonly Value[] | undefined, field: string): string[] | undefined {
  return list?.map((entry) => {
    if (entry.type === bsonTypes.string) return textOf(entry);
    throw new ServerError('BadValue', `${field} field must be an array of strings`);
  });
}
