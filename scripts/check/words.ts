import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';
import type { Source } from './source.ts';
import { filesBelow } from './tree.ts';

/** Names that the code once used for standard terms, with these terms. No declaration may use such a name. */
const RETIRED_NAMES: Readonly<Record<string, string>> = {
  Ahead: 'Lookahead',
  AskedThread: 'RpcWorker',
  Generation: 'ServiceInstance',
  IndexAsked: 'IndexQueries',
  IndexFollowed: 'IndexChanges',
  Interference: 'FaultInjection',
  LEFT_BESIDE: 'WAL_FILES',
  Looked: 'SearchedTerms',
  Making: 'PrincipalDependencies',
  Memory: 'BoundedCache',
  ObserverSeams: 'ObserverDependencies',
  OwnFiles: 'CertificateFiles',
  Patience: 'RetryOptions',
  Places: 'ConnectionLimiter',
  Pulse: 'Heartbeat',
  Rhythm: 'NotificationSchedule',
  RoomOnDisk: 'DiskSpace',
  Saboteur: 'FaultInjector',
  Sight: 'Observation',
  Standpoint: 'LinkContext',
  Told: 'Waiters',
  Vault: 'ChunkStore',
  Wish: 'MigrationSpec',
  WorkerSeams: 'WorkerDependencies',
  areTold: 'areDecodable',
  asFullDisk: 'reportFullDisk',
  askedToEnd: 'shutdownRequested',
  asksText: 'usesText',
  asksToPause: 'requestsPause',
  awaitsStrangers: 'awaitsExternalServices',
  besideNear: 'allowedWithNear',
  bringBack: 'restoreAndReplay',
  behindOthers: 'notFirstStage',
  callOver: 'sendRequest',
  checkBeside: 'checkAgainstProject',
  failsWhole: 'abortsTransaction',
  followLast: 'followSnapshotRemoval',
  forgetEvents: 'deleteOldEvents',
  giveName: 'publishState',
  handedDown: 'toEmbedded',
  holdToPolicy: 'enforcePolicy',
  isMuddled: 'hasManyLateCalls',
  joinedUp: 'toEnclosing',
  keepingLast: 'memoizeLast',
  layFirstFile: 'copyEmptyDatabase',
  letIn: 'grantAccess',
  lookAt: 'inspect',
  lookingTwice: 'retryingOnce',
  looksFor: 'searchedTerms',
  meetObstacle: 'injectFault',
  mostHopeful: 'mostRetryable',
  nobodyWakes: 'neverNotified',
  noteTry: 'recordAttempt',
  readWhole: 'readCompleteState',
  showOut: 'revokeAccess',
  starterIsGone: 'starterWatch',
  tellsValues: 'canDecodeValues',
  tryAsStranger: 'testIsolation',
  unrest: 'runFaultSuite',
  touchedBehind: 'changesAfter',
  warnWhenVoid: 'warnIfInvalid',
  wholeOf: 'truncated',
};

/** Retired prefixes of names, with the standard ones. */
const RETIRED_PREFIXES: Readonly<Record<string, string>> = { LEAST_: 'MIN_', MOST_: 'MAX_' };

/**
 * Phrases that must not be used again, with plain ones. They are assembled where this file would otherwise contain
 * them.
 */
export const RETIRED_PHRASES: Readonly<Record<string, string>> = {
  [['opens nothing', 'any more'].join(' ')]: 'revocation takes effect',
  [['that nobody', 'has declared'].join(' ')]: 'only declared faults occur',
  [['whom a configuration', 'names'].join(' ')]: 'sends a test notification',
  [['who', 'ever'].join('')]: 'the caller, the process: the actor',
  [['who may do', 'everything'].join(' ')]: 'with all privileges',
  [['behaviour', 'reference'].join(' ')]: 'docs/contract/…',
  [['in the', 'midst'].join(' ')]: 'in the middle of',
  [['given', 'back'].join(' ')]: 'returned',
  [['gives', 'back'].join(' ')]: 'returns',
  [['put in', 'order'].join(' ')]: 'sorted',
  [['brought', 'back'].join(' ')]: 'restored',
  [['goes', 'wrong'].join(' ')]: 'fails',
  [['to be', 'had'].join(' ')]: 'available',
  [['told from', 'noise'].join(' ')]: 'measurable',
  [['log', 'in'].join('-')]: 'login',
  [['processor', 'time'].join(' ')]: 'CPU time',
  [['shared', 'size'].join(' ')]: 'shared-tier cluster',
  [['met an', 'unexpected'].join(' ')]: 'encountered an unexpected',
  [['variables of the', 'environment'].join(' ')]: 'environment variables',
};

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

/** Finds retired names in declarations, and retired phrases in code and documents. */
export function checkWords(root: string, sources: readonly Source[]): Finding[] {
  const below = (folder: string, ending: string) =>
    existsSync(join(root, folder)) ? filesBelow(root, folder).filter((path) => path.endsWith(ending)) : [];
  // Read the pages of the console as text, since the checks parse only TypeScript without JSX.
  const paths = [...DOCUMENTS, ...below('docs', '.md'), ...below('packages', '.tsx')];
  const documents = paths.flatMap((path) => textOf(root, path));
  return [...sources.flatMap(retiredNames), ...[...sources, ...documents].flatMap(retiredPhrases)];
}

function textOf(root: string, path: string): { readonly path: string; readonly text: string }[] {
  try {
    return [{ path, text: readFileSync(join(root, path), 'utf8') }];
  } catch {
    // The small projects in tests lack some documents.
    return [];
  }
}

const DECLARATION = /\b(?:class|function|interface|type|const|let)\s+([A-Za-z_$][\w$]*)/g;

function retiredNames({ path, text }: Source): Finding[] {
  return text.split('\n').flatMap((line, index) =>
    isComment(line)
      ? []
      : [...line.matchAll(DECLARATION)].flatMap(([, name = '']) => {
          const term = termFor(name);
          return term === undefined
            ? []
            : [{ file: path, line: index + 1, message: `${name} is retired; use a term such as ${term}` }];
        }),
  );
}

function termFor(name: string): string | undefined {
  if (Object.hasOwn(RETIRED_NAMES, name)) return RETIRED_NAMES[name];
  const prefix = Object.keys(RETIRED_PREFIXES).find((one) => name.startsWith(one));
  return prefix === undefined ? undefined : RETIRED_PREFIXES[prefix] + name.slice(prefix.length);
}

function isComment(line: string): boolean {
  return /^\s*(\/\/|\/?\*)/.test(line);
}

function retiredPhrases({ path, text }: { readonly path: string; readonly text: string }): Finding[] {
  const lower = text.toLowerCase();
  return Object.entries(RETIRED_PHRASES).flatMap(([phrase, plain]) => {
    const at = lower.indexOf(phrase);
    if (at < 0) return [];
    const line = text.slice(0, at).split('\n').length;
    return [{ file: path, line, message: `"${phrase}" is retired; write for example "${plain}"` }];
  });
}
