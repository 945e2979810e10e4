import type { ServerResponse } from 'node:http';
import { isSelected, targetOf } from './kinds.ts';
import type { Event, Objects } from './objects.ts';
import { Refused, statusOf } from './refused.ts';

const BOOKMARK_MS = 500;

/** The open watches of a server. */
export class Watches {
  readonly #objects: Objects;
  readonly #open = new Map<ServerResponse, () => void>();

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  /** Sends past and future events to a client. */
  open(url: URL, response: ServerResponse): void {
    const { prefix } = targetOf(url.pathname);
    const query = url.searchParams;
    const write = (type: string, object: unknown) => response.write(`${JSON.stringify({ type, object })}\n`);
    const pass = ({ key, type, object }: Event) => {
      if (key.startsWith(prefix) && isSelected(object, query.get('labelSelector') ?? '')) write(type, object);
    };
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    try {
      for (const event of this.#objects.since(Number(query.get('resourceVersion')))) pass(event);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      write('ERROR', statusOf(error));
      response.end();
      return;
    }
    const bookmark = () => {
      const metadata = { resourceVersion: String(this.#objects.version) };
      write('BOOKMARK', { kind: 'PerconaServerMongoDB', apiVersion: 'psmdb.percona.com/v1', metadata });
    };
    const wantsBookmarks = query.get('allowWatchBookmarks') === 'true';
    const timer = wantsBookmarks ? setInterval(bookmark, BOOKMARK_MS) : undefined;
    this.#objects.watchers.add(pass);
    this.#open.set(response, wantsBookmarks ? bookmark : () => {});
    response.once('close', () => {
      clearInterval(timer);
      this.#objects.watchers.delete(pass);
      this.#open.delete(response);
    });
  }

  /** Sends bookmarks at once. */
  bookmark(): void {
    for (const send of this.#open.values()) send();
  }

  /** Ends all watches. */
  interrupt(): void {
    for (const response of this.#open.keys()) response.end();
  }
}
