import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { findUserNamed, hashPassword, isPassword, type UserRow } from '../accounts/index.ts';
import type { Services } from '../services.ts';

/** Passwords beyond this length are wrong; hashing takes longer for longer ones. */
const MAX_PASSWORD_LENGTH = 1024;

const absentHashes = new BoundedCache<'absent', Promise<string>>({ entries: 1 });

/** The user with this name and password. An unknown name takes as long as a wrong password. */
export async function personWithPassword(
  services: Services,
  username: string,
  password: string,
): Promise<UserRow | undefined> {
  if (password.length > MAX_PASSWORD_LENGTH) return undefined;
  const user = await services.store.read((tx) => findUserNamed(tx, username));
  const hash = user?.passwordHash ?? (await absentHash(services));
  return (await isPassword(password, hash)) ? user : undefined;
}

/** The hash of a password that nobody has. */
function absentHash({ random }: Services): Promise<string> {
  const known = absentHashes.get('absent') ?? hashPassword(random, random.uuid());
  absentHashes.set('absent', known);
  return known;
}
