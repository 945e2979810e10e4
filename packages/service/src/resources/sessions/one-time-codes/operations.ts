import { requireUser } from '../../accounts/index.ts';
import { extension } from '../../services.ts';
import { sessionFaults } from '../rules.ts';
import { deleteCodes } from './rows.ts';

export const deleteOneTimeCodes = extension({
  id: 'deleteOneTimeCodes',
  summary: 'Turns off the one-time codes of a user who has lost the device and the recovery codes.',
  tag: 'Operator',
  surface: 'operator',
  method: 'DELETE',
  path: '/users/{userId}/oneTimeCodes',
  access: 'operator',
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      const { id } = await requireUser(tx, call.params.userId);
      if (!(await deleteCodes(tx, id))) throw sessionFaults.NO_CODES();
    }),
});
