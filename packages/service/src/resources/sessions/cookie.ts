import type { Services } from '../services.ts';

const NAME_LENGTH = 8;

/**
 * The session cookie. Browsers send the cookies of a host to all of its ports, so that two services on one machine would
 * end each other's sessions if the name did not identify the service.
 */
export interface SessionCookie {
  /** The session token in a `Cookie` header. */
  read(header: string | undefined): string | undefined;
  /** `Set-Cookie` for a session, which ends with the browser. */
  write(token: string): string;
  /** `Set-Cookie` that removes it. */
  clear(): string;
}

export function sessionCookie({
  publicUrl,
  secrets,
}: Pick<Services, 'publicUrl' | 'secrets'>): SessionCookie {
  const secure = publicUrl.startsWith('https:');
  const name = `${secure ? '__Host-' : ''}portolan-${secrets.fingerprint.slice(0, NAME_LENGTH)}`;
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    read(header = '') {
      const found = header.split(/;\s*/).find((pair) => pair.startsWith(`${name}=`));
      return found?.slice(name.length + 1);
    },
    write: (token) => `${name}=${token}${attributes}`,
    clear: () => `${name}=; Max-Age=0${attributes}`,
  };
}
