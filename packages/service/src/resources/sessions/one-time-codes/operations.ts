import { requireUser } from '../../accounts/index.ts';
import { extension } from '../../services.ts';
import { sessionFaults } from '../faults.ts';
import { recordCodes } from './events.ts';
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
      const user = await requireUser(tx, call.params.userId);
      if (!(await deleteCodes(tx, user.id))) throw sessionFaults.NO_CODES();
      await recordCodes(tx, 'USER_ONE_TIME_CODES_TURNED_OFF', user, call.actor);
    }),
});
