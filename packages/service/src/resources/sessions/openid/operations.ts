import { requireUser } from '../../accounts/index.ts';
import { extension } from '../../services.ts';
import { sessionFaults } from '../faults.ts';
import { deleteIdentities } from './rows.ts';

export const deleteOpenIdIdentity = extension({
  id: 'deleteOpenIdIdentity',
  summary:
    "Unlinks a user from an account at the OpenID provider. The next account that logs in with the user's verified mail address is linked instead.",
  tag: 'Operator',
  surface: 'operator',
  method: 'DELETE',
  path: '/users/{userId}/openIdIdentity',
  access: 'operator',
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      const { id } = await requireUser(tx, call.params.userId);
      if (!(await deleteIdentities(tx, id))) throw sessionFaults.NO_IDENTITY();
    }),
});
