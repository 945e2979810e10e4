import type { ReadTx } from '../../store/index.ts';
import { operation } from '../services.ts';
import { changeKeys, resolveKeys } from './changes.ts';
import { presentKeys } from './present.ts';
import { findEncryption } from './rows.ts';
import { KeyProviders } from './schema.ts';
import { createKey, keysIn, keyValidity } from './validity.ts';

export const getEncryption = operation({
  id: 'getEncryptionAtRest',
  tag: 'Encryption at Rest',
  method: 'GET',
  path: '/groups/{groupId}/encryptionAtRest',
  summary: 'Returns the key providers for encryption at rest, with masked secrets.',
  access: 'Project Owner',
  reply: KeyProviders,
  status: 200,
  reachedFrom: { project: 'encryptionAtRest' },
  async handler({ params, read, services }) {
    const { settings, named } = await read((tx) => settingsOf(tx, params.groupId));
    return presentKeys(settings, await keyValidity(services.keys, named));
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
  summary: 'Updates, enables or disables the key providers in the body. Other key providers do not change.',
  access: 'Project Owner',
  body: KeyProviders,
  reply: KeyProviders,
  status: 200,
  async handler(call) {
    const { groupId } = call.params;
    const { secrets: box, keys } = call.services;
    const at = { groupId, box };
    const { known, unknown } = await call.read((tx) => resolveKeys(tx, at, call.body));
    const named = [...known, ...(await Promise.all(unknown.map((id) => createKey(keys, id))))];
    const valid = await keyValidity(keys, named);
    return call.write(async (tx) =>
      presentKeys(await changeKeys(tx, call.actor, at, { body: call.body, named, valid }), valid),
    );
  },
});
