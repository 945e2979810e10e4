import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { type Document, MongoClient, MongoServerError } from 'mongodb';
import { LONG_TIMEOUTS } from './support/drivers.ts';
import { engineAlone } from './support/engine-alone.ts';

/** A section of `docs/engine.md`, about one kind of names. */
interface Table {
  readonly known: readonly string[];
  readonly missing: readonly string[];
  /** The error code for an unsupported name. */
  readonly code: number;
}

const text = readFileSync(join(import.meta.dirname, '..', 'docs', 'engine.md'), 'utf8');
const sections = new Map(
  text.split(/^## /m).map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
);

function sectionOf(title: string): string {
  const section = sections.get(title);
  assert.ok(section, `docs/engine.md has a section ${title}`);
  return section;
}

function told(title: string): Table {
  const [before = '', code = '0', behind = ''] = sectionOf(title).split(/^Not supported \(error (\d+)\):$/m);
  const firstCells = before.match(/^\| `[^`]+`/gm) ?? [];
  const known = [...namesIn(firstCells.join('')), ...namesIn(before.replaceAll(/^\|.*$/gm, ''))];
  return { known, missing: namesIn(behind), code: Number(code) };
}

function namesIn(part: string): string[] {
  return [...part.matchAll(/`([$\w]+)`/g)].map(([, name = '']) => name);
}

/** Matches messages about unknown names, since other errors may have the same codes. */
const unknown =
  /no such command|Unrecognized|[Uu]nknown (top level )?operator|[Uu]nknown group operator|Unknown modifier|Unknown \$jsonSchema keyword/;

const probes: Readonly<Record<string, (name: string) => Document>> = {
  Stages: (name) => pipeline(...(behind[name] ?? []), { [name]: {} }),
  Expressions: (name) => pipeline({ $match: { $expr: { [name]: 1 } } }),
  Accumulators: (name) => pipeline({ $group: { _id: null, a: { [name]: 1 } } }),
  'Window functions': (name) => pipeline({ $setWindowFields: { output: { a: { [name]: {} } } } }),
  'Query operators': (name) => ({ find: 'none', filter: { a: { ...beside[name], [name]: 1 } } }),
  'Top-level query operators': (name) => ({ find: 'none', filter: { [name]: 1 } }),
  'Update operators': (name) => ({ update: 'none', updates: [{ q: {}, u: { [name]: { a: 1 } } }] }),
  'Schema keywords': (name) => ({ find: 'none', filter: { $jsonSchema: { [name]: 1 } } }),
};

/** Names that are valid only after other names, or together with them. */
const behind: Readonly<Record<string, Document[]>> = {
  $changeStreamSplitLargeEvent: [{ $changeStream: {} }],
};
const beside: Readonly<Record<string, Document>> = {
  $maxDistance: { $near: [0, 0] },
  $minDistance: { $near: [0, 0] },
  $uniqueDocs: { $within: { $center: [[0, 0], 1] } },
};

function pipeline(...stages: Document[]): Document {
  return { aggregate: 'none', pipeline: stages, cursor: {} };
}

describe('docs/engine.md', () => {
  const uri = engineAlone(() => Promise.all([client.close(), stranger.close()]));
  let client: MongoClient;
  /** A client that is not authenticated. The server rejects its commands before they have any effect. */
  let stranger: MongoClient;

  before(async () => {
    client = await MongoClient.connect(uri(), LONG_TIMEOUTS);
    const [host = ''] = /127\.0\.0\.1:\d+/.exec(uri()) ?? [];
    stranger = await MongoClient.connect(`mongodb://${host}/?directConnection=true`, LONG_TIMEOUTS);
  });

  /** Returns the error code that the engine returns for an unknown name. */
  async function refusal(
    asked: MongoClient,
    database: string,
    command: Document,
  ): Promise<number | undefined> {
    try {
      const { writeErrors = [] } = await asked.db(database).command(command);
      const [first] = writeErrors as { code: number; errmsg: string }[];
      return first !== undefined && unknown.test(first.errmsg) ? first.code : undefined;
    } catch (error) {
      if (!(error instanceof MongoServerError)) throw error;
      return unknown.test(error.message) ? Number(error.code) : undefined;
    }
  }

  for (const [title, probe] of Object.entries(probes)) {
    test(`lists the ${title.toLowerCase()} that the engine supports`, async () => {
      const { known, missing, code } = told(title);
      assert.ok(known.length > 0);
      const wrong: string[] = [];
      for (const name of known) {
        if ((await refusal(client, 'asked', probe(name))) !== undefined) wrong.push(`${name} is not known`);
      }
      for (const name of missing) {
        const found = await refusal(client, 'asked', probe(name));
        if (found !== code) wrong.push(`${name}: ${found} instead of ${code}`);
      }
      assert.deepEqual(wrong, []);
    });
  }

  test('lists the commands that the engine supports', async () => {
    const { known, missing, code } = told('Commands');
    const rows = sectionOf('Commands').split('\n');
    const elsewhere = new Set(
      rows
        .filter((row) => /on routers|in sharded clusters/.test(row))
        .flatMap((row) => namesIn(row)[0] ?? []),
    );
    const wrong: string[] = [];
    for (const name of known) {
      const found = await refusal(stranger, 'admin', { [name]: 1 });
      if (found !== (elsewhere.has(name) ? code : undefined)) wrong.push(`${name}: ${found}`);
    }
    for (const name of missing) {
      const found = await refusal(stranger, 'admin', { [name]: 1 });
      if (found !== code) wrong.push(`${name}: ${found}`);
    }
    const { commands } = await client.db('admin').command({ listCommands: 1 });
    wrong.push(...Object.keys(commands).filter((name) => !known.includes(name)));
    assert.deepEqual(wrong, []);
  });
});
