import { isIP } from 'node:net';
import type { Answer, Question } from 'dns-packet';
import type { ReadTx } from '../../store/index.ts';
import {
  type ClusterModel,
  clustersNamed,
  formsOf,
  hostName,
  optionsOf,
  type PlacedMember,
  reachedMembers,
  seedName,
} from '../clusters/index.ts';
import type { HostNaming } from '../services.ts';

/**
 * Time to live in seconds. It is short, because members move when their cluster changes, and drivers refresh their seed
 * list every minute.
 */
const TTL = 60;

/**
 * Returns the records of a name that have the queried type, possibly none. Returns undefined if the name does not
 * exist.
 */
export async function recordsOf(
  tx: ReadTx,
  { name: queried, type }: Question,
  naming: HostNaming,
): Promise<Answer[] | undefined> {
  const name = queried.toLowerCase();
  if (name === naming.domain) return [];
  const [label = '', second = ''] = name.replace('_mongodb._tcp.', '').split('.');
  for (const form of formsOf(naming)) {
    const [own, mark] = form.hyphens ? splitMark(label) : [label, second];
    for (const [cluster, ownNames] of await clustersOf(tx, own, mark)) {
      const found = recordsIn(cluster, { name, type }, form, ownNames);
      if (found !== undefined)
        return found.map((record) => ({ ...record, name: queried, ttl: TTL }) as Answer);
    }
  }
  return undefined;
}

/** Splits a label at the hyphen before the project mark, which has six characters. */
const splitMark = (label: string) => [label.slice(0, -7), label.slice(-6)] as const;

/**
 * Returns the clusters to which the first label of a name may refer. Also returns for each cluster whether the label is
 * a name for custom DNS.
 */
async function clustersOf(tx: ReadTx, label: string, mark: string): Promise<Array<[ClusterModel, boolean]>> {
  const name = label.replace(/-shard-\d\d-\d\d$/, '');
  const direct = (await clustersNamed(tx, name, mark)).map((cluster): [ClusterModel, boolean] => [
    cluster,
    false,
  ]);
  if (!name.endsWith('-pri')) return direct;
  const own = await clustersNamed(tx, name.slice(0, -'-pri'.length), mark);
  return [...direct, ...own.map((cluster): [ClusterModel, boolean] => [cluster, true])];
}

type Data = Pick<Answer, 'type'> & { readonly data: unknown };

function recordsIn(
  cluster: ClusterModel,
  { name, type }: Pick<Question, 'name' | 'type'>,
  naming: HostNaming,
  own: boolean,
): Data[] | undefined {
  if (own && cluster.placement.ownNames !== true) return undefined;
  const seed = seedName(cluster, naming, own);
  const wanted = (given: string) => type === given;
  if (name === `_mongodb._tcp.${seed}`) {
    return wanted('SRV') ? reachedMembers(cluster).map((member) => srvOf(cluster, member, naming, own)) : [];
  }
  if (name === seed) return wanted('TXT') ? [{ type: 'TXT', data: optionsOf(cluster).join('&') }] : [];
  const member = cluster.placement.members.find((one) => hostName(cluster, one, naming, own) === name);
  return member && addressOf(member).filter((record) => wanted(record.type) || record.type === 'CNAME');
}

function srvOf(cluster: ClusterModel, member: PlacedMember, naming: HostNaming, own: boolean): Data {
  const target = hostName(cluster, member, naming, own);
  return { type: 'SRV', data: { priority: 0, weight: 0, port: member.port, target } };
}

function addressOf({ host }: PlacedMember): Data[] {
  const family = isIP(host);
  if (family === 0) return [{ type: 'CNAME', data: host }];
  return [{ type: family === 4 ? 'A' : 'AAAA', data: host }];
}
