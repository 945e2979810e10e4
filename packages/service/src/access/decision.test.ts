import assert from 'node:assert/strict';
import { BlockList, isIPv6 } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertAddressAllowed } from './address-list.ts';
import { allows } from './allowance.ts';
import type { Caller, Grant, Scope } from './caller.ts';
import { canonicalBlock, normalAddress } from './caller-address.ts';
import type { Role, RolePhrase } from './roles.ts';
import { columns, inItsProject } from './testing-roles.ts';

const ORG = 'org';
const OTHER_ORG = 'other org';
/** Projects with the organizations that own them. */
const owners: Readonly<Record<string, string>> = { first: ORG, second: ORG, foreign: OTHER_ORG };

const everyRole = Object.keys(inItsProject) as Role[];
const isOrgRole = (role: string) => role.startsWith('ORG_');

const scopes: readonly Scope[] = [
  { kind: 'org', id: ORG },
  { kind: 'org', id: OTHER_ORG },
  ...Object.entries(owners).map(([id, orgId]) => ({ kind: 'group', id, orgId }) as const),
];

/** Generates grants as the service creates them. Some of them have a role of the wrong level, and must be ignored. */
const grant = fc
  .tuple(fc.constantFrom(...everyRole), fc.constantFrom(ORG, ORG, ORG, OTHER_ORG), fc.nat(1), fc.nat(15))
  .map(([role, org, project, wrongness]): Grant => {
    const onOrg = isOrgRole(role) !== (wrongness === 0);
    // A caller has a project role only in its own organization.
    return onOrg
      ? { scope: 'org', id: org, role }
      : { scope: 'group', id: ['first', 'second'][project] ?? '', role };
  });

/** Generates few distinct addresses, so that they often match a list. */
const ipv4 = fc
  .tuple(fc.nat(1), fc.nat(3), fc.nat(255))
  .map(([a, b, c]) => `203.0.${112 + a}.${b * 64 + (c % 4)}`);
const ipv6 = fc.tuple(fc.nat(3), fc.nat(0xffff)).map(([a, b]) => `2001:db8:${a}::${b.toString(16)}`);
const mapped = ipv4.map((address) => `::ffff:${address}`);
const address = fc.oneof(ipv4, ipv6, mapped);
const block = fc.oneof(
  address,
  fc.tuple(ipv4, fc.integer({ min: 20, max: 32 })).map(([of, bits]) => `${of}/${bits}`),
  fc.tuple(ipv6, fc.integer({ min: 40, max: 128 })).map(([of, bits]) => `${of}/${bits}`),
  fc.tuple(mapped, fc.integer({ min: 116, max: 128 })).map(([of, bits]) => `${of}/${bits}`),
);

/** Applies the rules of docs/contract/access.md 2 grant by grant, with the table of `testing-roles.ts`. */
function expectedRole(grants: readonly Grant[], phrase: RolePhrase, scope: Scope): boolean {
  const column = columns.indexOf(phrase);
  const orgOfScope = scope.kind === 'org' ? scope.id : scope.orgId;
  return grants.some(({ scope: level, id, role }) => {
    if ((level === 'org') !== isOrgRole(role)) return false;
    const says = inItsProject[role as Role][column] === 'x';
    if (level === 'org') return id === orgOfScope && says;
    if (scope.kind === 'group' && scope.id === id) return says;
    return orgOfScope === owners[id] && phrase === 'Organization Member';
  });
}

/** Applies the rules of docs/contract/access.md 1.4, with an independent implementation of CIDR blocks. */
function expectedAddress(list: readonly string[], required: boolean, from: string): string | undefined {
  if (list.length === 0) return required ? 'ORG_REQUIRES_ACCESS_LIST' : undefined;
  const blocks = new BlockList();
  for (const each of list) {
    const [network = '', bits] = each.split('/');
    const isV6 = isIPv6(network);
    blocks.addSubnet(network, Number(bits ?? (isV6 ? 128 : 32)), isV6 ? 'ipv6' : 'ipv4');
  }
  const bare = from.replace(/^::ffff:(?=\d+\.)/, '');
  const asMapped = `::ffff:${bare}`;
  const isListed = isIPv6(bare)
    ? blocks.check(bare, 'ipv6')
    : blocks.check(bare, 'ipv4') || blocks.check(asMapped, 'ipv6');
  return isListed ? undefined : 'IP_ADDRESS_NOT_ON_ACCESS_LIST';
}

function codeOf(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (fault) {
    return (fault as { code: string }).code;
  }
}

test('for any roles, operation, address and list the decision equals an independent computation', () => {
  fc.assert(
    fc.property(
      fc.array(grant, { maxLength: 5 }),
      fc.constantFrom(...columns),
      fc.constantFrom(...scopes),
      fc.array(block, { maxLength: 5 }),
      address,
      fc.boolean(),
      (grants, phrase, scope, list, from, listRequired) => {
        const addresses = list.map((each) => canonicalBlock(each) ?? assert.fail(each));
        const caller: Caller = {
          kind: 'apiKey',
          id: 'a',
          name: 'b',
          orgId: ORG,
          grants,
          addresses,
          listRequired,
        };
        assert.equal(allows(caller, phrase, scope), expectedRole(grants, phrase, scope));
        assert.equal(
          codeOf(() => assertAddressAllowed(caller, normalAddress(from))),
          expectedAddress(list, listRequired, from),
        );
      },
    ),
    { numRuns: 5000 },
  );
});
