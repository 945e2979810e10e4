import type { Services } from '../services.ts';

const NAME_LENGTH = 8;

/**
 * A cookie of the console. Its name contains the service's id, since browsers send the cookies of a host to all of its
 * ports. If the name did not contain the id, two services on one machine would end each other's sessions.
 */
interface ConsoleCookie {
  /** Returns the value in a `Cookie` header. */
  read(header: string | undefined): string | undefined;
  /** Returns the `Set-Cookie` header. Without `seconds`, the cookie lasts until the browser is closed. */
  write(value: string, seconds?: number): string;
  /** Returns the `Set-Cookie` header that removes the cookie. */
  clear(): string;
}

type Naming = Pick<Services, 'publicUrl' | 'secrets'>;

export const sessionCookie = (services: Naming): ConsoleCookie => cookieNamed(services, '');

export function cookieNamed({ publicUrl, secrets }: Naming, suffix: string): ConsoleCookie {
  const secure = publicUrl.startsWith('https:');
  const name = `${secure ? '__Host-' : ''}portolan-${secrets.fingerprint.slice(0, NAME_LENGTH)}${suffix}`;
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    read(header = '') {
      const found = header.split(/;\s*/).find((pair) => pair.startsWith(`${name}=`));
      return found?.slice(name.length + 1);
    },
    write: (value, seconds) =>
      `${name}=${value}${seconds === undefined ? '' : `; Max-Age=${seconds}`}${attributes}`,
    clear: () => `${name}=; Max-Age=0${attributes}`,
  };
}
