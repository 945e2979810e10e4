import { assertUnchanged } from '../../api/read-only.ts';
import type { ReadTx } from '../../store/index.ts';
import { operation } from '../services.ts';
import { changeKeys, wantedKeys } from './changes.ts';
import { presentKeys } from './present.ts';
import { findEncryption } from './rows.ts';
import { KeyProviders } from './schema.ts';
import { keysIn, makeKey, validAmong } from './validity.ts';

export const getEncryption = operation({
  id: 'getEncryptionAtRest',
  tag: 'Encryption at Rest',
  method: 'GET',
  path: '/groups/{groupId}/encryptionAtRest',
  summary: 'Answers whose keys encrypt the data of clusters, secrets masked.',
  access: 'Project Owner',
  reply: KeyProviders,
  status: 200,
  reachedFrom: { project: 'encryptionAtRest' },
  async handler({ params, read, services }) {
    const { settings, named } = await read((tx) => settingsOf(tx, params.groupId));
    return presentKeys(settings, await validAmong(services.keys, named));
  },
});

async function settingsOf(tx: ReadTx, groupId: string) {
  const { settings = {} } = (await findEncryption(tx, groupId)) ?? {};
  return { settings, named: await keysIn(tx, settings) };
}

export const updateEncryption = operation({
  id: 'updateEncryptionAtRest',
  tag: 'Encryption at Rest',
  method: 'PATCH',
  path: '/groups/{groupId}/encryptionAtRest',
  summary: 'Sets up, changes or switches off the providers of keys that the body names.',
  access: 'Project Owner',
  body: KeyProviders,
  reply: KeyProviders,
  status: 200,
  async handler(call) {
    const { groupId } = call.params;
    const { secrets: box, keys } = call.services;
    const at = { groupId, box };
    const before = await call.read((tx) => settingsOf(tx, groupId));
    assertUnchanged(call, presentKeys(before.settings, await validAmong(keys, before.named)));
    const { known, unknown } = await call.read((tx) => wantedKeys(tx, at, call.body));
    const named = [...known, ...(await Promise.all(unknown.map((id) => makeKey(keys, id))))];
    const valid = await validAmong(keys, named);
    return call.write(async (tx) =>
      presentKeys(await changeKeys(tx, call.actor, at, { body: call.body, named, valid }), valid),
    );
  },
});
