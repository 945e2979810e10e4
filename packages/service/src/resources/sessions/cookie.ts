import type { Services } from '../services.ts';

const NAME_LENGTH = 8;

/**
 * The session cookie. Browsers send the cookies of a host to all of its ports: without the service's id in the name,
 * two services on one machine would end each other's sessions.
 */
export interface SessionCookie {
  /** Returns the session token in a `Cookie` header. */
  read(header: string | undefined): string | undefined;
  /** Returns the `Set-Cookie` header for a session. The cookie lasts until the browser is closed. */
  write(token: string): string;
  /** Returns the `Set-Cookie` header that removes the cookie. */
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
