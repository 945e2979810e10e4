import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

/** Private words that the code once had for standard terms, with the terms. No declaration may use one. */
const RETIRED_NAMES: Readonly<Record<string, string>> = {
  Ahead: 'Lookahead',
  AskedThread: 'RpcWorker',
  Generation: 'ServiceInstance',
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
  Sight: 'Observation',
  Standpoint: 'LinkContext',
  Told: 'Waiters',
  Vault: 'ChunkStore',
  Wish: 'MigrationSpec',
  WorkerSeams: 'WorkerDependencies',
  areTold: 'areDecodable',
  askedToEnd: 'shutdownRequested',
  asksToPause: 'requestsPause',
  awaitsStrangers: 'awaitsExternalServices',
  besideNear: 'allowedWithNear',
  bringBack: 'restoreAndReplay',
  callOver: 'sendRequest',
  checkBeside: 'checkAgainstProject',
  followLast: 'followSnapshotRemoval',
  forgetEvents: 'deleteOldEvents',
  handedDown: 'toEmbedded',
  holdToPolicy: 'enforcePolicy',
  joinedUp: 'toEnclosing',
  keepingLast: 'memoizeLast',
  letIn: 'grantAccess',
  looksFor: 'searchedTerms',
  meetObstacle: 'injectFault',
  mostHopeful: 'mostRetryable',
  nobodyWakes: 'neverNotified',
  noteTry: 'recordAttempt',
  readWhole: 'readCompleteState',
  showOut: 'revokeAccess',
  starterIsGone: 'starterWatch',
  tellsValues: 'canDecodeValues',
  touchedBehind: 'changesAfter',
  warnWhenVoid: 'warnIfInvalid',
};

/** Phrases that must not come back, with plain ones. Assembled where this file would otherwise match itself. */
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
};

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/glossary.md'];

/** Retired names that code declares, and retired phrases in code and in the main documents. */
export function checkWords(root: string, sources: readonly Source[]): Finding[] {
  const documents = DOCUMENTS.flatMap((path) => textOf(root, path));
  return [...sources.flatMap(retiredNames), ...[...sources, ...documents].flatMap(retiredPhrases)];
}

function textOf(root: string, path: string): { readonly path: string; readonly text: string }[] {
  try {
    return [{ path, text: readFileSync(join(root, path), 'utf8') }];
  } catch {
    // Small trees in tests lack some documents.
    return [];
  }
}

const DECLARATION = /\b(?:class|function|interface|type|const|let)\s+([A-Za-z_$][\w$]*)/g;

function retiredNames({ path, text }: Source): Finding[] {
  return text.split('\n').flatMap((line, index) =>
    isComment(line)
      ? []
      : [...line.matchAll(DECLARATION)].flatMap(([, name = '']) => {
          const term = Object.hasOwn(RETIRED_NAMES, name) ? RETIRED_NAMES[name] : undefined;
          return term === undefined
            ? []
            : [{ file: path, line: index + 1, message: `${name} is retired; use a term such as ${term}` }];
        }),
  );
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
