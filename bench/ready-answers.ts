import { randomUUID } from 'node:crypto';
import { type Document, Long, UUID } from 'bson';
import { WireClient } from '../packages/engine/src/wire/testing.ts';
import { logIn } from '../packages/engine/src/wire/testing-login.ts';

/** Recorded replies to the measured commands, in base64, for a server that replays them. */
export interface ReadyAnswers {
  readonly hello: string;
  readonly find: string;
  readonly update: string;
}

/** The length of the header, the flags and the section kind, which precede the document of an OP_MSG. */
const BEFORE_DOCUMENT = 21;

/**
 * Sends commands in a session, as the official driver does, and records the replies. The collection must have a
 * document with `_id` 1.
 */
export async function readyAnswers(
  port: number,
  user: { readonly username: string; readonly password: string },
): Promise<ReadyAnswers> {
  const client = await WireClient.connect(port);
  try {
    let last: Buffer = Buffer.alloc(0);
    client.onMessage = (bytes) => {
      last = bytes;
    };
    const answer = async (command: Document) => {
      await client.command(command);
      return last.subarray(BEFORE_DOCUMENT).toString('base64');
    };
    const hello = await answer({ hello: 1, helloOk: true, $db: 'admin' });
    await logIn(client, user.username, user.password);
    const inSession = { lsid: { id: new UUID(randomUUID()) }, $db: 'bench' };
    const find = await answer({
      find: 'documents',
      filter: { _id: 1 },
      limit: 1,
      singleBatch: true,
      ...inSession,
    });
    const update = await answer({
      update: 'documents',
      updates: [{ q: { _id: 1 }, u: { $set: { number: 2 } } }],
      ordered: true,
      txnNumber: Long.fromNumber(1),
      ...inSession,
    });
    return { hello, find, update };
  } finally {
    client.end();
  }
}
