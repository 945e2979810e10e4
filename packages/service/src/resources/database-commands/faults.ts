import { faults } from '@portolan/foundation/faults';

export const commandFaults = faults({
  DATABASE_COMMAND_FAILED: [400, '{0} ({1}): {2}'],
  DATABASE_COMMAND_NOT_OFFERED: [400, 'The command {0} cannot be run by this operation.'],
  DATABASE_REPLY_TOO_LARGE: [400, 'The reply of the command {0} is larger than {1} bytes.'],
  DATABASE_NOT_AVAILABLE: [409, 'The cluster {0} does not accept commands now: {1}.'],
  DATABASE_NOT_RESPONDING: [504, 'The cluster {0} has not responded within {1} seconds.'],
});
