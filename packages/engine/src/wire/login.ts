import type { Random } from '@portolan/foundation/random';
import type { Document } from 'bson';
import { Binary } from 'bson';
import { addressCheck } from '../access/addresses.ts';
import type { WireUser } from '../access/caller.ts';
import type { CertificateTrust, ClientCertificate } from '../access/certificate-trust.ts';
import {
  parseClientFirst,
  type ScramExchange,
  ScramFailure,
  scramExchange,
} from '../access/scram-conversation.ts';
import { decoyVerifier, mechanisms } from '../access/scram-hash.ts';
import { ServerError } from '../errors/server-error.ts';
import type { UserSpec } from '../interface/engine.ts';

/** The users of the cluster to which a connection belongs. */
export interface Accounts {
  /** Returns a user by database and name, for example `admin` and `ada`. */
  find(database: string, username: string): UserSpec | undefined;
  readonly decoySecret: string;
  /** Determines which users a client certificate can log in. */
  readonly trust: CertificateTrust;
  /** The service time (see `docs/glossary.md`), in milliseconds since 1970. */
  now(): number;
  /** The user of all clients that have not logged in. Absent if such clients have no rights. */
  readonly anyone?: WireUser | undefined;
}

export interface LoginAttempt {
  readonly username: string;
  readonly database: string;
  readonly mechanism: string;
  /**
   * The reason of a failed login. Only the log contains it, and the client does not receive it. Absent if the login
   * succeeded.
   */
  readonly failure?: string;
}

export interface LoginStart {
  readonly mechanism: unknown;
  readonly payload: unknown;
  readonly database: string;
  readonly skipEmptyExchange: boolean;
  /** True if a `hello` command contains the step. If such a step cannot start, no failed login is recorded. */
  readonly speculative?: boolean;
}

interface Conversation {
  readonly exchange: ScramExchange;
  readonly account: UserSpec | undefined;
  readonly attempt: Omit<LoginAttempt, 'failure'>;
  readonly skipEmptyExchange: boolean;
  /** True when the proof has been verified. An empty message from the client then ends the conversation. */
  proven: boolean;
}

/** The addresses of a connection, and the certificate of its client. */
interface Endpoints {
  /** The address of the client, for example `192.0.2.1`. */
  readonly client: string;
  readonly server: string;
  /** Returns the certificate of the client, if an authority of the cluster has signed it. */
  certificate?(): ClientCertificate | undefined;
}

/** A login with a certificate. */
interface Certified {
  readonly certificate: ClientCertificate;
  /** The service time (see `docs/glossary.md`) at which the certificate expires, in milliseconds since 1970. */
  readonly expiry: number;
}

export const X509_MECHANISM = 'MONGODB-X509';

/** All conversations have the same id, because a connection has only one conversation at a time. */
const CONVERSATION_ID = 1;
const NONCE_BYTES = 24;

/** The login of a connection: the current SASL conversation and the authenticated user. */
export class Login {
  readonly #accounts: Accounts;
  readonly #random: Random;
  readonly #onAttempt: (attempt: LoginAttempt) => void;
  readonly #endpoints: Endpoints;
  #conversation: Conversation | undefined;
  #user: WireUser | undefined;
  /** The login with a certificate, if the user has logged in with one. */
  #certified: Certified | undefined;

  constructor(
    accounts: Accounts,
    random: Random,
    onAttempt: (attempt: LoginAttempt) => void,
    endpoints: Endpoints = { client: '', server: '' },
  ) {
    this.#endpoints = endpoints;
    this.#accounts = accounts;
    this.#random = random;
    this.#onAttempt = onAttempt;
  }

  get user(): WireUser | undefined {
    if (this.#certified !== undefined && this.#accounts.now() > this.#certified.expiry) this.logout();
    return this.#user ?? this.#accounts.anyone;
  }

  /** Runs `saslStart`. Throws `MechanismUnavailable`, `TypeMismatch` or `AuthenticationFailed`. */
  start({ mechanism, payload, database, skipEmptyExchange, speculative = false }: LoginStart): Document {
    this.#conversation = undefined;
    const hash = typeof mechanism === 'string' ? mechanisms.get(mechanism) : undefined;
    if (hash === undefined) {
      throw new ServerError(
        'MechanismUnavailable',
        `Received authentication for mechanism ${mechanism} which is unknown or not enabled`,
      );
    }
    const attempt = { username: '', database, mechanism: String(mechanism) };
    const first = this.#step(attempt, () => parseClientFirst(bytesOf(payload)));
    const { username } = first;
    const account = this.#accounts.find(database, username);
    if (account !== undefined && account.scram?.[hash] === undefined) {
      const reason = `MechanismUnavailable: Unable to use ${mechanism} based authentication for user without any ${mechanism} credentials registered`;
      throw speculative ? authenticationFailed() : this.#failed({ ...attempt, username }, reason);
    }
    const decoy = decoyVerifier(hash, this.#accounts.decoySecret, `${database}.${username}`);
    const verifier = account?.scram?.[hash] ?? decoy;
    const exchange = scramExchange(hash, first, verifier, this.#random.bytes(NONCE_BYTES).toString('base64'));
    this.#conversation = {
      exchange,
      account,
      attempt: { ...attempt, username },
      skipEmptyExchange,
      proven: false,
    };
    return reply(exchange.serverFirst, false);
  }

  /** Runs `saslContinue`. Throws `ProtocolError` or `AuthenticationFailed`. */
  continue(conversationId: unknown, payload: unknown): Document {
    const conversation = this.#conversation;
    if (conversation === undefined) throw new ServerError('ProtocolError', 'No SASL session state found');
    if (Number(conversationId) !== CONVERSATION_ID) {
      throw new ServerError('ProtocolError', 'sasl: Mismatched conversation id');
    }
    if (conversation.proven) return this.#finish(conversation, Buffer.alloc(0));
    const final = this.#step(conversation.attempt, () => this.#prove(conversation, payload));
    conversation.proven = true;
    return conversation.skipEmptyExchange ? this.#finish(conversation, final) : reply(final, false);
  }

  /**
   * Runs `authenticate` with the certificate of the client. `named` is the user name, which the client may omit. Throws
   * `ProtocolError` or `AuthenticationFailed`.
   */
  certify(database: string, named: unknown, speculative = false): Document {
    if (database !== '$external') {
      throw new ServerError('ProtocolError', 'X.509 authentication must always use the $external database.');
    }
    const certificate = this.#endpoints.certificate?.();
    const username = String(named ?? certificate?.subject ?? '');
    const attempt = { username, database, mechanism: X509_MECHANISM };
    const proof = this.#proofOf(certificate, attempt);
    if (typeof proof === 'string') throw speculative ? authenticationFailed() : this.#failed(attempt, proof);
    this.#admit(proof.account, attempt);
    this.#certified = proof;
    return { dbname: database, user: username };
  }

  /** Rejects a login with an unsupported mechanism. */
  reject(database: string, user: unknown, mechanism: unknown): never {
    const attempt = { username: String(user ?? ''), database, mechanism: String(mechanism ?? '') };
    throw this.#failed(
      attempt,
      `MechanismUnavailable: ${attempt.mechanism} is not supported by this command`,
    );
  }

  logout(): void {
    this.#conversation = undefined;
    this.#user = undefined;
    this.#certified = undefined;
  }

  /**
   * Applies changes of the user since the login. The roles of the user may have changed. If the user was removed, or if
   * the certificate is no longer accepted, the connection has no user.
   */
  refresh(): void {
    if (this.#user === undefined) return;
    const account = this.#accounts.find(this.#user.database, this.#user.username);
    const isCertified = account === undefined || this.#isStillCertified(account);
    this.#user = account === undefined || !isCertified ? undefined : this.#wireUser(account);
  }

  #isStillCertified(account: UserSpec): boolean {
    if (this.#certified === undefined) return true;
    const { trust } = this.#accounts;
    return trust.expiryFor(account, this.#certified.certificate, this.#accounts.now()) !== undefined;
  }

  /** Returns the time until which the certificate can log the user in, or the reason why it cannot. */
  #proofOf(
    certificate: ClientCertificate | undefined,
    attempt: Pick<LoginAttempt, 'username' | 'database'>,
  ): (Certified & { readonly account: UserSpec }) | string {
    if (certificate === undefined) {
      return 'AuthenticationFailed: No verified subject name available from client';
    }
    if (attempt.username !== certificate.subject) {
      return 'AuthenticationFailed: There is no x.509 client certificate matching the user.';
    }
    const account = this.#accounts.find(attempt.database, attempt.username);
    if (account === undefined) return unknown(attempt);
    const expiry = this.#accounts.trust.expiryFor(account, certificate, this.#accounts.now());
    if (expiry === undefined) return 'AuthenticationFailed: The certificate is not valid for the user';
    return { account, certificate, expiry };
  }

  #finish(conversation: Conversation, payload: Buffer): Document {
    this.#conversation = undefined;
    const { account, attempt } = conversation;
    // The proof of an unknown user never matches. A known user may have been removed during the conversation.
    if (account === undefined || this.#accounts.find(account.database, account.username) === undefined) {
      throw this.#failed(attempt, unknown(attempt));
    }
    this.#admit(account, attempt);
    this.#certified = undefined;
    return reply(payload, true);
  }

  /**
   * Logs in a user who has proven their identity. Throws if a restriction forbids the login, or if another
   * user is logged in on the connection.
   */
  #admit(account: UserSpec, attempt: LoginAttempt): void {
    if (!isAllowedFrom(account, this.#endpoints)) {
      throw this.#failed(attempt, 'AuthenticationRestrictionUnmet: Authentication restrictions are not met');
    }
    if (this.#user !== undefined && !sameUser(this.#user, account)) {
      throw new ServerError(5626701, 'Each client connection may only be authenticated once');
    }
    this.#user = this.#wireUser(account);
    this.#onAttempt(attempt);
  }

  #wireUser(account: UserSpec): WireUser {
    const user = wireUser(account);
    return this.#accounts.anyone === undefined ? user : { ...user, unrestricted: true };
  }

  /** Checks a proof. If the user is unknown, records the reason `UserNotFound`, which the client does not receive. */
  #prove({ account, attempt, exchange }: Conversation, payload: unknown): Buffer {
    const bytes = bytesOf(payload);
    if (account !== undefined) return exchange.finish(bytes);
    try {
      return exchange.finish(bytes);
    } catch (error) {
      throw error instanceof ScramFailure ? this.#failed(attempt, unknown(attempt)) : error;
    }
  }

  /**
   * Runs a step of the conversation. If the step fails, the conversation ends. The reason is recorded but not sent to
   * the client.
   */
  #step<T>(attempt: LoginAttempt, step: () => T): T {
    try {
      return step();
    } catch (error) {
      this.#conversation = undefined;
      if (error instanceof ScramFailure)
        throw this.#failed(attempt, `AuthenticationFailed: ${error.message}`);
      throw error;
    }
  }

  #failed(attempt: LoginAttempt, failure: string): ServerError {
    this.#onAttempt({ ...attempt, failure });
    return authenticationFailed();
  }
}

function authenticationFailed(): ServerError {
  return new ServerError('AuthenticationFailed', 'Authentication failed.');
}

function unknown({ username, database }: Pick<LoginAttempt, 'username' | 'database'>): string {
  return `UserNotFound: Could not find user "${username}" for db "${database}"`;
}

/**
 * True if every restriction of the user is met. The lists of a restriction must contain the addresses of the client and
 * of the server.
 */
function isAllowedFrom({ restrictions = [] }: UserSpec, { client, server }: Endpoints): boolean {
  const contains = (ranges: readonly string[] | undefined, address: string) =>
    ranges === undefined || addressCheck(ranges.map(asRange))(address);
  return restrictions.every(
    ({ clientSource, serverAddress }) => contains(clientSource, client) && contains(serverAddress, server),
  );
}

function asRange(address: string): string {
  if (address.includes('/')) return address;
  return `${address}/${address.includes(':') ? 128 : 32}`;
}

function reply(payload: Uint8Array, done: boolean): Document {
  return { conversationId: CONVERSATION_ID, done, payload: new Binary(payload) };
}

function bytesOf(payload: unknown): Uint8Array {
  if (payload instanceof Binary) return payload.value();
  // The oldest shells send the payload as base64 text.
  if (typeof payload === 'string') return Buffer.from(payload, 'base64');
  throw new ServerError('TypeMismatch', "BSON field 'payload' is the wrong type, expected type 'binData'");
}

function wireUser({ username, database, roles }: UserSpec): WireUser {
  return { username, database, roles };
}

function sameUser(user: WireUser, account: UserSpec): boolean {
  return user.username === account.username && user.database === account.database;
}
