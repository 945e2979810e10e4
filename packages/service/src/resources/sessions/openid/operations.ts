import { requireUser } from '../../accounts/index.ts';
import { extension } from '../../services.ts';
import { sessionFaults } from '../rules.ts';
import { deleteIdentities } from './rows.ts';

export const deleteOpenIdIdentity = extension({
  id: 'deleteOpenIdIdentity',
  summary:
    'Removes the link between a user and a person at the OpenID provider. The next person with the verified mail address of the user gets the link.',
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
