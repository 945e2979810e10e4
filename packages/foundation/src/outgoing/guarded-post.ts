import { lookup as resolve } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { boundReply } from './bound-reply.ts';

/** A POST request to a URL that a caller chose. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface PostReply {
  readonly status: number;
  /** The first 64 KiB of the body. */
  readonly text: string;
}

export type Poster = (post: Post, signal?: AbortSignal) => Promise<PostReply>;

export interface PosterOptions {
  /** True to allow loopback, private and other non-public addresses as well. */
  readonly allowPrivate: boolean;
  /** The timeout of the whole request in milliseconds; the default is 10,000. */
  readonly timeout?: number;
}

/** The error for an address that is not in the public network. */
export class PrivateTarget extends Error {
  constructor(host: string) {
    super(`${host} is not an address of the public network`);
    this.name = 'PrivateTarget';
  }
}

const MAX_READ = 65_536;
/** The maximum size of the body that is read, with the sizes of its chunks. */
const MAX_WIRE_BYTES = 4 * MAX_READ;

/**
 * Sends POST requests to URLs that callers chose, without giving them access to the internal network. Every resolved
 * address must be public, the connection uses the checked address, and redirects are not followed.
 */
export function guardedPoster({ allowPrivate, timeout = 10_000 }: PosterOptions): Poster {
  return async ({ url, headers, body }, signal) => {
    const target = new URL(url);
    const host = target.hostname.replace(/^\[|\]$/g, '');
    const { lookup } = guardedTarget(host, allowPrivate);
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
      // Only the status decides the outcome: a body that is truncated or never ends is not an error.
      let finish: (() => void) | undefined;
      const request = send(target, options, (response) => {
        let text = '';
        finish = () => {
          done({ status: response.statusCode ?? 0, text: text.slice(0, MAX_READ) });
          response.destroy();
        };
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
          if (text.length >= MAX_READ) finish?.();
        });
        response.on('end', finish);
        response.on('error', finish);
      });
      boundReply(request, MAX_WIRE_BYTES);
      request.on('error', (error) => {
        if (finish) finish();
        else failed(limit.aborted ? new Error(`no answer within ${timeout / 1000} s`) : error);
      });
      request.end(body);
    });
  };
}

/**
 * Returns the option `lookup` for a connection to a host that a caller chose. The function rejects names that resolve
 * to an address outside the public network. The option is undefined if such addresses are allowed. Throws
 * `PrivateTarget` if the host itself is such an address.
 */
export function guardedTarget(
  host: string,
  allowPrivate: boolean,
): { readonly lookup: LookupFunction | undefined } {
  if (allowPrivate) return { lookup: undefined };
  // Checked here, because Node.js does not call `lookup` for an IP address.
  if (isIP(host) !== 0 && !isPublic(host)) throw new PrivateTarget(host);
  return { lookup: publicLookup };
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

/** True if an address belongs to the public internet: it is not private, local or reserved. */
export function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast';
}
