import ipaddr from 'ipaddr.js';
import type { AddressRestriction } from '../../access/stored-accounts.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { byType, converted, listOf, nested } from '../shared/field-builders.ts';

/** An address, or a range of addresses. */
const range = byType({ string: readRange }, () => noRange(''));

function readRange(value: Value): string {
  const given = textOf(value);
  if (ipaddr.isValid(given) || ipaddr.isValidCIDR(given)) return given;
  throw noRange(given);
}

function noRange(given: string): ServerError {
  return new ServerError('UnsupportedFormat', `'${given}' is not an address or a range of addresses`);
}

const ranges = nested({ clientSource: listOf(range), serverAddress: listOf(range) });

const restriction = converted(
  byType(
    { object: ranges.read },
    () => new ServerError('BadValue', 'authenticationRestrictions is an array of documents'),
  ),
  ({ clientSource, serverAddress }): AddressRestriction => {
    if (clientSource === undefined && serverAddress === undefined) {
      throw new ServerError(
        'CollectionIsEmpty',
        'restriction document must contain at least one restriction',
      );
    }
    return { ...(clientSource ? { clientSource } : {}), ...(serverAddress ? { serverAddress } : {}) };
  },
);

/** The client and server addresses from which a user may authenticate. */
export const authenticationRestrictions = listOf(restriction);

/** Returns the restrictions in the form of a stored user or role. Without restrictions, returns undefined. */
export function restrictionsIn({
  authenticationRestrictions: given,
}: {
  readonly authenticationRestrictions?: readonly AddressRestriction[];
}) {
  return given && { authenticationRestrictions: given };
}
