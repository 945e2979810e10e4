import { assertUnchanged } from '../../api/read-only.ts';
import { operation } from '../services.ts';
import { changeKeys, newKeys } from './changes.ts';
import { presentKeys } from './present.ts';
import { findEncryption } from './rows.ts';
import { KeyProviders } from './schema.ts';

export const getEncryption = operation('getEncryptionAtRest', {
  summary: 'Answers whose keys encrypt the data of clusters, secrets masked.',
  access: 'Project Owner',
  reply: KeyProviders,
  status: 200,
  reachedFrom: { project: 'encryptionAtRest' },
  handler: (call) =>
    call.read(async (tx) => {
      const row = await findEncryption(tx, call.params.groupId);
      return presentKeys(row?.settings ?? {}, call.services.keys);
    }),
});

export const updateEncryption = operation('updateEncryptionAtRest', {
  summary: 'Sets up, changes or switches off the providers of keys that the body names.',
  access: 'Project Owner',
  body: KeyProviders,
  reply: KeyProviders,
  status: 200,
  async handler(call) {
    const { groupId } = call.params;
    const { secrets: box, keys } = call.services;
    const made = await call.read(async (tx) => {
      const row = await findEncryption(tx, groupId);
      assertUnchanged(call, presentKeys(row?.settings ?? {}, keys));
      return newKeys(tx, { groupId, box }, call.body);
    });
    for (const key of made) await keys.make(key);
    return call.write(async (tx) =>
      presentKeys(await changeKeys(tx, call.actor, { groupId, box }, call.body), keys),
    );
  },
});
