import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Reply } from './http.ts';

/** What `docs/engines.md` says about each capability of an engine. */

const PAGE = new URL('../../docs/engines.md', import.meta.url);

/** Returns what the page says about each capability of an engine, by the name of the capability. */
async function cellsOf(engine: string): Promise<ReadonlyMap<string, string>> {
  const cells = await tableOf(engine, 'Capability');
  assert.ok(cells.size > 10);
  return cells;
}

/** Returns the differences between engines that apply to an engine according to the page. */
export async function traitsOf(engine: string): Promise<readonly string[]> {
  const cells = await tableOf(engine, 'Difference');
  return [...cells].flatMap(([text, cell]) => (cell === 'yes' ? [text] : []));
}

/** Returns the column of an engine in the table whose first column has this title, by the text in the first column. */
async function tableOf(
  engine: string,
  title: 'Capability' | 'Difference',
): Promise<ReadonlyMap<string, string>> {
  const sections = (await readFile(PAGE, 'utf8')).split(/^## /m);
  const table = sections.find((section) => section.includes(`| ${title} |`)) ?? '';
  const lines = table.split('\n').filter((line) => line.startsWith('| '));
  const rows = lines.map((line) => line.slice(2, -2).split(' | '));
  const head = rows.find(([first]) => first === title) ?? [];
  const column = head.indexOf(`\`${engine}\``);
  const own = rows.filter((row) => row.length === head.length && row !== head && row[0] !== '---');
  assert.ok(column > 0);
  return new Map(own.map((row) => [row[0] ?? '', row[column] ?? '']));
}

/** Returns the names of the capabilities that the page says an engine has, at least under a condition. */
export async function claimsOf(engine: string): Promise<readonly string[]> {
  return [...(await cellsOf(engine))].flatMap(([name, cell]) => (/^(yes$|if )/.test(cell) ? [name] : []));
}

/** Returns the reasons of the capabilities that the page says an engine lacks, by the name of the capability. */
async function lacksOf(engine: string): Promise<ReadonlyMap<string, string>> {
  const reasons = [...(await cellsOf(engine))].map(
    ([name, cell]) => [name, /^no: (.*)$/.exec(cell)?.[1]] as const,
  );
  return new Map(reasons.flatMap(([name, reason]) => (reason === undefined ? [] : [[name, reason]])));
}

/**
 * Sends requests that an engine must reject, and checks that the page names each rejected capability with its reason.
 * Together, the requests must need every capability that the engine lacks according to the page, except `others`.
 */
export async function checkLacks(
  engine: string,
  requests: readonly (() => Promise<Reply>)[],
  others: readonly string[],
): Promise<void> {
  const lacks = await lacksOf(engine);
  assert.ok(lacks.size > 10);
  const rejected = new Set<string>();
  const problems: string[] = [];
  for (const send of requests) {
    const reply = await send();
    const { parameters = [], errorCode } = reply.json<{ parameters?: string[]; errorCode?: string }>();
    const [named, text = '', , reason] = parameters;
    const capability = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
    rejected.add(capability);
    const isRejected = reply.status === 400 && errorCode === 'NOT_SUPPORTED_BY_ENGINE';
    if (!isRejected || named !== engine || reason !== lacks.get(capability))
      problems.push(`${reply.method} ${reply.url}: ${reply.status} ${reply.text}`);
  }
  assert.deepEqual(problems, []);
  const left = [...lacks.keys()].filter((capability) => !rejected.has(capability));
  assert.deepEqual(left.sort(), [...others].sort());
}

/** Returns the body of a request for a live migration to a cluster. */
export const migrationTo = (clusterName: string, groupId: string) => ({
  source: {
    ...{ clusterName: 'old', groupId: '0'.repeat(24), ssl: false, managedAuthentication: false },
    ...{ username: 'keeper', password: 'a lantern in the fog' },
  },
  destination: { clusterName, groupId, hostnameSchemaType: 'PUBLIC' },
  migrationHosts: ['127.0.0.1'],
});
