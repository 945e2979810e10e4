import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemRandom } from '../packages/foundation/src/random.ts';
import { secretBox } from '../packages/foundation/src/secret-box.ts';
import { sealContext } from '../packages/service/src/access/credentials.ts';
import { REALM } from '../packages/service/src/access/digest/digest.ts';
import { ha1 } from '../packages/service/src/access/digest/response.ts';
import { readSecretKey } from '../packages/service/src/boot/steps/secret-key.ts';

export interface SeededKey {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Returns the seeded key with this index. */
export function seededKey(index: number): SeededKey {
  const letters = index.toString(26).padStart(7, '0');
  const publicKey = `z${[...letters].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('')}`;
  return { publicKey, privateKey: `${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000` };
}

/** Inserts API keys as the service would, but many times faster. The service must not be running. */
export async function seedKeys(folder: string, orgId: string, count: number): Promise<void> {
  const random = systemRandom();
  const box = secretBox(
    await readSecretKey({ config: { 'secret-key': undefined }, dataDirectory: folder }, random),
    random,
  );
  const database = new DatabaseSync(join(folder, 'portolan.sqlite'));
  database.exec('BEGIN');
  const key = database.prepare(
    `INSERT INTO api_key (id, org_id, public_key, description, private_key_mask, ha1_md5, ha1_sha256, created_at)
     VALUES (?, ?, ?, 'seeded', '', ?, ?, 0)`,
  );
  const grant = database.prepare(
    "INSERT INTO role_grant (principal_id, scope_kind, scope_id, role) VALUES (?, 'org', ?, 'ORG_MEMBER')",
  );
  for (let index = 0; index < count; index++) {
    const { publicKey, privateKey } = seededKey(index);
    const id = (0x7000_0000_0000 + index).toString(16).padStart(24, '0');
    const sealed = (['MD5', 'SHA-256'] as const).map((algorithm) =>
      box.seal(ha1(algorithm, publicKey, REALM, privateKey), sealContext.ha1(algorithm, id)),
    );
    key.run(id, orgId, publicKey, sealed[0] ?? null, sealed[1] ?? null);
    grant.run(id, orgId);
  }
  database.exec('COMMIT');
  database.close();
}
