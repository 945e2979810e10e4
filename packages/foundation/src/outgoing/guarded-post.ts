import { lookup as resolve } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A POST request to a URL that a caller chose. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface PostReply {
  readonly status: number;
  /** Its first 64 KiB. */
  readonly text: string;
}

export type Poster = (post: Post, signal?: AbortSignal) => Promise<PostReply>;

export interface PosterOptions {
  /** Also allow loopback, private and other non-public addresses. */
  readonly allowPrivate: boolean;
  /** Milliseconds for the whole of it; 10,000 by default. */
  readonly timeout?: number;
}

/** Thrown for an address outside the public network. */
export class PrivateTarget extends Error {
  constructor(host: string) {
    super(`${host} is not an address of the public network`);
    this.name = 'PrivateTarget';
  }
}

const MOST_READ = 65_536;

/**
 * Posts to URLs of callers, without access to the internal network: every resolved address must be public, the
 * checked address is the one used, and redirects are not followed.
 */
export function guardedPoster({ allowPrivate, timeout = 10_000 }: PosterOptions): Poster {
  const lookup = allowPrivate ? undefined : publicLookup;
  return async ({ url, headers, body }, signal) => {
    const target = new URL(url);
    const host = target.hostname.replace(/^\[|\]$/g, '');
    // A literal address is never looked up.
    if (!allowPrivate && isIP(host) !== 0 && !isPublic(host)) throw new PrivateTarget(host);
    const limit = AbortSignal.timeout(timeout);
    const ends = signal ? AbortSignal.any([signal, limit]) : limit;
    const length = Buffer.byteLength(body);
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': length },
      signal: ends,
      agent: false,
      ...(lookup && { lookup }),
    };
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise<PostReply>((done, failed) => {
      // The head of an answer says it all: a body that is cut off, or never ends, takes nothing of it back.
      let answered: (() => void) | undefined;
      const request = send(target, options, (response) => {
        let text = '';
        answered = () => {
          done({ status: response.statusCode ?? 0, text: text.slice(0, MOST_READ) });
          response.destroy();
        };
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
          if (text.length >= MOST_READ) answered?.();
        });
        response.on('end', answered);
        response.on('error', answered);
      });
      request.on('error', (error) => {
        if (answered) answered();
        else failed(limit.aborted ? new Error(`no answer within ${timeout / 1000} s`) : error);
      });
      request.end(body);
    });
  };
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0);
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublic(address)))
      return callback(new PrivateTarget(hostname), '', 0);
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

/** Whether everybody may reach an address: it is none of those that are private, of this machine, or reserved. */
export function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast';
}
