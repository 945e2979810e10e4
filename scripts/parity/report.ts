import { reasonFor } from './reasons.ts';
import { isSame, type Pair, type Score, scoreOf } from './score.ts';

interface Parts {
  readonly visible: readonly Pair[];
  readonly heldOut: readonly Pair[];
}

/** Prints the differences, except those of held-out operations (see `isHeldOut`). */
export function tell({ visible, heldOut }: Parts): void {
  for (const pair of visible.filter(({ difference }) => !isSame(difference))) {
    const { operation, version, stories } = pair;
    console.log(`${operation.method} ${operation.template} (${version})  ${stories.slice(0, 3).join(' ')}`);
    for (const line of linesOf(pair)) console.log(`    ${line}`);
  }
  console.log(`looked at: ${sentence(scoreOf(visible))}`);
  console.log(`held out:  ${sentence(scoreOf(heldOut))}`);
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

export function renderReport({ visible, heldOut }: Parts, commit: string): string {
  const row = (name: string, pairs: readonly Pair[]) => {
    const { pairs: all, status, complete, identical } = scoreOf(pairs);
    const share = (part: number) => `${part} (${((100 * part) / all).toFixed(0)} %)`;
    return `| ${name} | ${all} | ${share(status)} | ${share(complete)} | ${share(identical)} |`;
  };
  return `# Parity with recordings of the vendor's service

The tests of the Atlas CLI contain recorded responses of MongoDB Atlas (\`mongodb/mongodb-atlas-cli\`, \`test/e2e/**/.snapshots\`, commit
\`${commit}\`).
\`npm run parity -- --recordings CHECKOUT --write\` sends the recorded requests, in order, to a new Portolan service, compares the responses with the
recorded ones, and writes this page. \`CHECKOUT\` is a clone of the repository of the Atlas CLI. The first table counts pairs of an operation and a
version. For each pair, the command compares the status, the names of the fields, the error codes and the states.

- The recordings contain no request bodies. The body of a replayed request consists of those fields of the recorded response that the request
  accepts.
- The comparison ignores values that depend on the caller or the time, the keys of \`links\`, and the fields of list items if one of the two
  lists is empty. It also ignores operations that Portolan [does not serve](clients.md).
- A third of the operations, chosen by a hash of their path, is *held out*: nobody looks at their differences to correct Portolan. Their figures
  therefore show what to expect of operations without recordings. The other operations are used for corrections.

| Operations | Pairs | Status equal | No recorded field missing | Identical |
| --- | --- | --- | --- | --- |
${row('used for corrections', visible)}
${row('held out', heldOut)}

## Differences of the operations used for corrections

In the column Difference, "lacks" means that the recording has a field that the response of Portolan lacks. "Has the additional" means that the
response has a field that the recording lacks. In "UPDATING, not IDLE", the first value is in the response, and the second value is in the recording.

| Operation | Version | Difference | Reason |
| --- | --- | --- | --- |
${visible
  .filter(({ difference }) => !isSame(difference))
  .sort((a, b) => a.operation.template.localeCompare(b.operation.template))
  .flatMap(rowsOf)
  .join('\n')}
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
