import { badValue } from '../../api/faults.ts';
import { userFaults } from './faults.ts';
import type { UserDocument } from './rows.ts';
import { isDistinguishedName } from './subjects.ts';

/** Names reserved by the databases and the service. */
const blocked = new Set(['__system', 'platform-automation', 'platform-backup', 'platform-monitoring']);

const ARN = { USER: /^arn:aws[a-z-]*:iam::\d{12}:user\/.+$/, ROLE: /^arn:aws[a-z-]*:iam::\d{12}:role\/.+$/ };
/** Matches a name of the form `<identity provider>/<group or user>`. */
const FEDERATED = /^[^/]+\/.+$/;

/** Throws for `.` and `..`, since clients remove these path segments, even if they are percent-encoded. */
export function checkSegment(field: string, name: string): void {
  if (name === '.' || name === '..') throw badValue(field, 'cannot be used as a path segment');
}

/** Throws for a name that does not fit the authentication method. */
export function checkUsername(username: string, document: UserDocument): void {
  const { awsIAMType, ldapAuthType, oidcAuthType, x509Type } = document;
  checkSegment('username', username);
  if (blocked.has(username)) throw userFaults.BLOCKED_USERNAME(username);
  if (awsIAMType !== 'NONE' && awsIAMType !== undefined && !ARN[awsIAMType].test(username)) {
    throw userFaults.PLATFORM_INVALID_USERNAME(username);
  }
  if (ldapAuthType !== 'NONE' && !isDistinguishedName(username)) {
    throw userFaults.PLATFORM_INVALID_LDAP_NAME(username);
  }
  if (x509Type === 'CUSTOMER' && !isDistinguishedName(username)) {
    throw userFaults.PLATFORM_INVALID_USERNAME(username);
  }
  if (oidcAuthType !== 'NONE' && !FEDERATED.test(username)) {
    throw userFaults.PLATFORM_INVALID_USERNAME(username);
  }
}
