import { badValue } from '../../api/faults.ts';
import type { UserDocument } from './rows.ts';
import { userFaults } from './rules.ts';

/** Names that the databases and the service keep for themselves. */
const blocked = new Set(['__system', 'platform-automation', 'platform-backup', 'platform-monitoring']);

const ARN = { USER: /^arn:aws[a-z-]*:iam::\d{12}:user\/.+$/, ROLE: /^arn:aws[a-z-]*:iam::\d{12}:role\/.+$/ };
/** Pairs of an attribute and a value; a comma within a value is quoted or follows a backslash (RFC 2253). */
const PAIR = /\s*(?:[A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)*)\s*=(?:\\.|"(?:\\.|[^"\\])*"|[^",\\])+/;
const DISTINGUISHED_NAME = new RegExp(`^${PAIR.source}(?:[,;]${PAIR.source})*$`);
/** An identity provider, and a group or a user of it. */
const FEDERATED = /^[^/]+\/.+$/;

/** Throws for a name that no path can hold: clients take these segments out of a path, percent-encoded ones as well. */
export function checkSegment(field: string, name: string): void {
  if (name === '.' || name === '..') throw badValue(field, 'cannot stand in a path');
}

/** Throws for a name that does not fit how the user proves itself. */
export function checkUsername(username: string, document: UserDocument): void {
  const { awsIAMType, ldapAuthType, oidcAuthType, x509Type } = document;
  checkSegment('username', username);
  if (blocked.has(username)) throw userFaults.BLOCKED_USERNAME(username);
  if (awsIAMType !== 'NONE' && awsIAMType !== undefined && !ARN[awsIAMType].test(username)) {
    throw userFaults.PLATFORM_INVALID_USERNAME(username);
  }
  if (ldapAuthType !== 'NONE' && !DISTINGUISHED_NAME.test(username)) {
    throw userFaults.PLATFORM_INVALID_LDAP_NAME(username);
  }
  if (x509Type !== 'NONE' && !DISTINGUISHED_NAME.test(username)) {
    throw userFaults.PLATFORM_INVALID_USERNAME(username);
  }
  if (oidcAuthType !== 'NONE' && !FEDERATED.test(username)) {
    throw userFaults.PLATFORM_INVALID_USERNAME(username);
  }
}
