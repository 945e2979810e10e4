import { extension } from '../services.ts';
import { addLogExport, changeLogExport, removeLogExport } from './changes.ts';
import { findLogExport } from './rows.ts';
import { requireLogExport } from './rules.ts';
import { LogExport, NewLogExport } from './schema.ts';

const tag = 'Push-Based Log Export';
const path = '/groups/{groupId}/pushBasedLogExport';

export const getLogExport = extension({
  id: 'getPushBasedLogExport',
  tag,
  method: 'GET',
  path,
  summary: 'Returns the configuration and the state of the log export of a project.',
  access: 'Project Read Only',
  reply: LogExport,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const row = await findLogExport(tx, call.params.groupId);
      if (row === undefined) return { state: 'UNCONFIGURED' as const };
      const { bucketName, created, prefixPath, roleId, state } = row;
      return { bucketName, createDate: created, iamRoleId: roleId, prefixPath, state };
    }),
});

export const createLogExport = extension({
  id: 'createPushBasedLogExport',
  tag,
  method: 'POST',
  path,
  summary:
    'Configures the log export of a project. The service then writes the new log lines of all dedicated clusters to an S3 bucket every five minutes.',
  access: 'Project Owner',
  body: NewLogExport,
  status: 204,
  handler(call) {
    const { bucketName, iamRoleId: roleId, prefixPath } = call.body;
    return call.write((tx) =>
      addLogExport(tx, call.actor, call.params.groupId, { bucketName, roleId, prefixPath }),
    );
  },
});

export const updateLogExport = extension({
  id: 'updatePushBasedLogExport',
  tag,
  method: 'PATCH',
  path,
  summary: 'Changes the log export of a project. Omitted fields keep their values.',
  access: 'Project Owner',
  body: LogExport,
  status: 204,
  handler(call) {
    const { bucketName, iamRoleId: roleId, prefixPath } = call.body;
    return call.write(async (tx) => {
      const before = await requireLogExport(tx, call.params.groupId);
      await changeLogExport(tx, call.actor, before, { bucketName, roleId, prefixPath });
    });
  },
});

export const deleteLogExport = extension({
  id: 'deletePushBasedLogExport',
  tag,
  method: 'DELETE',
  path,
  summary: 'Ends the log export of a project. Exported files stay in the bucket.',
  access: 'Project Owner',
  status: 204,
  handler: (call) => call.write((tx) => removeLogExport(tx, call.actor, call.params.groupId)),
});
