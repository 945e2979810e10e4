import { type QueryClient, useQuery } from '@tanstack/react-query';
import { ApiError, send, setCsrfToken } from './client.ts';

/** The session of this browser. */
export interface Session {
  readonly csrfToken: string;
  /** Whether the person also has the rights of the operator. */
  readonly operator: boolean;
  readonly expiresAt: string;
  /** The service time, which operators can change. Dates follow this time. */
  readonly serviceTime: string;
  readonly user: {
    readonly id: string;
    readonly username: string;
    readonly firstName: string;
    readonly lastName: string;
  };
}

/** Returns the session; null if nobody is logged in. */
export function useSession() {
  return useQuery({ queryKey: ['session'], queryFn: readSession, refetchInterval: 60_000 });
}

async function readSession(): Promise<Session | null> {
  try {
    const session = await send<Session>('GET', 'console/session');
    setCsrfToken(session.csrfToken);
    return session;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Returns the present service time in milliseconds. */
export async function readServiceTime(): Promise<number> {
  const { serviceTime } = await send<Session>('GET', 'console/session');
  return Date.parse(serviceTime);
}

/** Logs a person in. `code` is a one-time code or a recovery code, for people who have turned codes on. */
export function logIn(username: string, password: string, code: string | undefined): Promise<void> {
  return send('POST', 'console/session', { username, password, code });
}

/** Deletes the data of the person who used this page before, since the next person may have fewer rights. */
export function forgetData(queries: QueryClient): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}

export function logOut(): Promise<void> {
  return send('DELETE', 'console/session');
}
