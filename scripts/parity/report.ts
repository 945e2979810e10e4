import { firstLooks } from './first-looks.ts';
import { reasonFor } from './reasons.ts';
import { isSame, type Pair, type Score, scoreOf } from './score.ts';
import { cli, provider, repositories, type Source } from './sources.ts';

export interface Scored {
  readonly source: Source;
  readonly pairs: readonly Pair[];
}

/** Prints the scores, and the differences in recordings that are used for corrections. */
export function tell(all: readonly Scored[]): void {
  for (const { source, pairs } of all) {
    if (source.usedForCorrections)
      for (const pair of pairs.filter(({ difference }) => !isSame(difference))) tellPair(pair);
    console.log(`${source.repository} ${source.commit.slice(0, 8)}: ${sentence(scoreOf(pairs))}`);
  }
}

function tellPair(pair: Pair): void {
  const { operation, version, stories } = pair;
  console.log(`${operation.method} ${operation.template} (${version})  ${stories.slice(0, 3).join(' ')}`);
  for (const line of linesOf(pair)) console.log(`    ${line}`);
}

function sentence({ pairs, status, complete, identical }: Score): string {
  return `${pairs} pairs, status equal ${status}, no field missing ${complete}, identical ${identical}`;
}

function linesOf({ operation, difference: { status, missing, added, values } }: Pair): string[] {
  const line = (what: string, names: readonly string[]) => {
    const unexplained = names.filter((name) => reasonFor(operation.id, name) === undefined);
    return unexplained.length === 0 ? [] : [`${what}: ${unexplained.join(', ')}`];
  };
  const other =
    status === undefined || reasonFor(operation.id, 'status') !== undefined ? [] : [`status: ${status}`];
  return [...other, ...line('missing', missing), ...line('added', added), ...line('differs', values)];
}

export function renderReport(all: readonly Scored[]): string {
  const row = (name: string, score: Score) => {
    const { pairs, status, complete, identical } = score;
    const share = (part: number) => `${part} (${((100 * part) / pairs).toFixed(0)} %)`;
    return `| ${name} | ${pairs} | ${share(status)} | ${share(complete)} | ${share(identical)} |`;
  };
  const link = (repository: string, commit: string) =>
    `[\`${commit.slice(0, 7)}\`](https://github.com/${repository}/tree/${commit})`;
  const current = all.map(({ source: { repository, commit, usedForCorrections }, pairs }) =>
    row(
      `${repositories[repository].name} ${link(repository, commit)}, ${usedForCorrections ? 'used for corrections' : 'held out'}`,
      scoreOf(pairs),
    ),
  );
  const first = firstLooks.map(({ recordings, repository, commit, score }) =>
    row(`${recordings} ${link(repository, commit)}`, score),
  );
  const used = all.filter(({ source }) => source.usedForCorrections);
  return `${introduction}
${tableHead('Recordings')}
${current.join('\n')}

## First looks

A first look is the score of recordings when they were compared for the first time. It shows what to expect of operations without recordings. Since
then, the recordings that the table above calls "used for corrections" have also been used to correct Portolan.

${tableHead('Recordings')}
${first.join('\n')}

## Differences from recordings that are used for corrections

In the column Difference, "lacks" means that the recording has a field that the response of Portolan lacks. "Has the additional" means that the
response has a field that the recording lacks. In "UPDATING, not IDLE", the first value is in the response, and the second value is in the recording.
${used.map(differencesIn).join('')}`;
}

const tableHead = (first: string) =>
  `| ${first} | Pairs | Status equal | No recorded field missing | Identical |\n| --- | --- | --- | --- | --- |`;

const introduction = `# Parity with recordings of the vendor's service

The tests of two clients of MongoDB Atlas contain recorded responses: those of the Atlas CLI (\`${cli}\`,
\`${repositories[cli].files}\`) and those of the Terraform provider (\`${provider}\`,
\`${repositories[provider].files}\`).
\`npm run parity -- --recordings CHECKOUT --write\` sends the recorded requests, in order, to a new Portolan service, compares the responses with the
recorded ones, and writes this page. \`CHECKOUT\` is a clone of one of these repositories. The option is repeated for each commit, from the newest
recordings to the oldest. The tables count pairs of an operation and a version. For each pair, the command compares the status, the names of the
fields, the error codes and the states.

- **Bodies.** The recordings of the Atlas CLI contain no request bodies. The body of such a request consists of those fields of the recorded response
  that the request accepts. If the recorded response to a request with a body is an error, the request is not replayed.
- **Not compared:** values that depend on the caller or the time, the keys of \`links\`, the fields of list items if one of the two lists is empty,
  and operations that Portolan [does not serve](clients.md).
- **Lists of resources** depend on what else exists. Their fields count as missing or additional only if all lists of a pair lack them.
- **Changes of the service.** If an older recording differs from a newer one in whether a response has a field, only the newer one counts. The
  recordings of the CLI date from August 2026, and those of the Terraform provider from 2024 and 2025.
- **Older commits** of a repository count only for the pairs that newer commits lack.
- **Held out** means that nobody looks at the differences to correct Portolan.
`;

function differencesIn({ source: { repository, commit }, pairs }: Scored): string {
  const rows = pairs
    .filter(({ difference }) => !isSame(difference))
    .sort((a, b) => a.operation.template.localeCompare(b.operation.template))
    .flatMap(rowsOf);
  return `
### ${repositories[repository].name} \`${commit.slice(0, 7)}\`

| Operation | Version | Difference | Reason |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function rowsOf({ operation, version, difference: { status, missing, added, values } }: Pair): string[] {
  const found: (readonly [name: string, text: string])[] = [
    ...(status === undefined ? [] : [['status', `status ${status}`] as const]),
    ...missing.map((name) => [name, `lacks \`${name}\``] as const),
    ...added.map((name) => [name, `has the additional \`${name}\``] as const),
    ...values.map((text) => [text, text] as const),
  ];
  const byReason = Map.groupBy(found, ([name]) => reasonFor(operation.id, name) ?? 'not examined');
  return [...byReason].map(([reason, list]) => {
    const texts = list.map(([, text]) => text).join(', ');
    return `| ${operation.method} \`${operation.template}\` | ${version} | ${texts} | ${reason} |`;
  });
}
