import assert from 'node:assert/strict';
import { expectStatus } from './expect.ts';
import type { Reply } from './http.ts';
import type { Setup } from './setups.ts';

/** A session as `GET /console/session` shows it. */
export interface SessionDocument {
  readonly csrfToken: string;
  readonly operator: boolean;
  readonly user: { readonly id: string; readonly username: string };
}

/** The data that a browser stores and sends: one cookie, and the CSRF token that its page has read. */
export class BrowserSession {
  readonly #setup: Setup;
  cookie: string | undefined;
  csrfToken: string | undefined;
  #turn = 0;

  constructor(setup: Setup) {
    this.#setup = setup;
  }

  /** Sends a request. Requests go to the instances in turn. */
  async send(
    method: string,
    target: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Reply> {
    const { connections } = this.#setup;
    const connection = connections[this.#turn++ % connections.length] ?? assert.fail('no instance');
    const headers = {
      accept: target.startsWith('/api/service/v2') ? 'application/vnd.service.2025-03-12+json' : '*/*',
      ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
      ...(this.csrfToken === undefined ? {} : { 'x-csrf-token': this.csrfToken }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...more,
    };
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const reply = await connection.send({ method, target, headers, body: sent });
    this.#setup.checkAnswer(reply);
    const [cookie] = reply.headers.getSetCookie();
    if (cookie !== undefined) this.cookie = cookie.includes('Max-Age=0') ? undefined : cookie.split(';')[0];
    return reply;
  }

  /** Opens a new login link. */
  async openLink(): Promise<Reply> {
    return this.send('GET', await this.newLink());
  }

  /** Returns path and query of a new login link. */
  async newLink(): Promise<string> {
    const { url } = expectStatus<{ url: string }>(
      await this.#setup.operator.post('/operator/v1/console/links', undefined),
      201,
    );
    const { pathname, search } = new URL(url);
    return pathname + search;
  }

  logIn(username: string, password: string): Promise<Reply> {
    return this.send('POST', '/console/session', { username, password });
  }

  /** Reads the session, as the page does when it is opened. */
  async read(): Promise<SessionDocument> {
    const session = expectStatus<SessionDocument>(await this.send('GET', '/console/session'), 200);
    this.csrfToken = session.csrfToken;
    return session;
  }
}
