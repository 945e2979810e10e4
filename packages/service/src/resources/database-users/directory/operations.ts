import { extension } from '../../services.ts';
import type { CheckRow } from './rows.ts';
import { requireCheck } from './rules.ts';
import { DirectoryCheck, DirectoryCheckRequest } from './schema.ts';
import { requestCheck } from './tasks.ts';

const tag = 'LDAP Configuration';
const path = '/groups/{groupId}/userSecurity/ldap/verify';

function presentCheck({ id, groupId, request, validations }: CheckRow) {
  const isFailed = validations?.some(({ status }) => status === 'FAIL');
  const ended = isFailed ? ('FAIL' as const) : ('SUCCESS' as const);
  return {
    groupId,
    request: { authzQueryTemplate: '', ...request },
    requestId: id,
    status: validations === undefined ? ('PENDING' as const) : ended,
    validations: validations ?? [],
  };
}

export const verifyDirectory = extension({
  id: 'verifyLdap',
  tag,
  method: 'POST',
  path,
  summary:
    'Verifies an LDAP server: the service connects with TLS, logs in and sends a query. The request does not change the settings of the project.',
  access: 'Project Owner',
  body: DirectoryCheckRequest,
  reply: DirectoryCheck,
  status: 200,
  handler(call) {
    const at = { groupId: call.params.groupId, box: call.services.secrets };
    return call.write(async (tx) => presentCheck(await requestCheck(tx, at, call.body)));
  },
});

export const getDirectoryCheck = extension({
  id: 'getLdapVerification',
  tag,
  method: 'GET',
  path: `${path}/{requestId}`,
  summary: 'Returns the result of the verification of an LDAP server.',
  access: 'Project Owner',
  reply: DirectoryCheck,
  status: 200,
  handler: ({ params, read }) =>
    read(async (tx) => presentCheck(await requireCheck(tx, params.groupId, params.requestId))),
});
