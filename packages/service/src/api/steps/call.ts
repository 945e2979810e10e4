import { allows, type Caller } from '../../access/index.ts';
import type { Actor } from '../../events/index.ts';
import type { Edge } from '../edge.ts';
import type { Admitted, Exchange } from '../exchange.ts';
import { textOf } from '../http/read-body.ts';
import type { Call } from '../operation.ts';
import type { Fields } from '../schema/body-fields.ts';

/** Creates the argument of a handler. */
export function callOf(
  edge: Edge,
  exchange: Exchange,
  admitted: Admitted,
  given: { readonly fields: Fields; readonly read: Edge['read'] },
): Call {
  const { served, params, scope, query, page } = admitted;
  const { fields, read } = given;
  const asker = served.operation.sameForAll === true ? undefined : admitted.caller;
  const caller = asker ?? nobody;
  return {
    services: edge.services,
    params,
    query,
    body: fields.body,
    bodyText: () => textOf(exchange.received ?? Buffer.alloc(0)),
    caller,
    scope,
    version: served.version,
    remoteAddress: exchange.address,
    flags: exchange.flags,
    lastEventId: exchange.lastEventId,
    session: exchange.session,
    page,
    actor: actorOf(asker, exchange.address),
    may: (phrase, where) => allows(caller, phrase, where),
    read,
    write: edge.write,
  };
}

/**
 * A caller without any rights. It is used for the operator, for unauthenticated callers, and for every caller of a
 * cacheable operation.
 */
const nobody: Caller = {
  kind: 'apiKey',
  id: '',
  name: '',
  orgId: '',
  grants: [],
  addresses: [],
  listRequired: false,
};

/**
 * Returns the caller in the form in which events record it. A service account has no public key, so events identify
 * it by its client id (docs/contract/access.md 9).
 */
function actorOf(caller: Caller | undefined, remoteAddress: string): Actor {
  if (caller?.kind === 'apiKey') return { apiKeyId: caller.id, publicKey: caller.name, remoteAddress };
  return caller ? { username: caller.name, remoteAddress } : { remoteAddress };
}
