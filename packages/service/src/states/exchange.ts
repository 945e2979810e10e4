import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory, writeAtomically } from '@portolan/foundation/atomic-file';
import { FIRST, LEFT_BESIDE, PARTS, stateFolder, statesIn } from './layout.ts';

/** What is being put in the place of what is there, and where that goes. Both are gone when it is done. */
const NEXT = '.next';
const FORMER = '.former';
/** Says that an exchange has begun: from then on it is finished, whatever happens. */
const MARK = 'exchange.json';
/** The same for the way back, written before: a disk that has become full keeps nobody from going it. */
const MARK_BACK = '.exchange-back.json';
/** A state that was replaced by one of the same name. */
const REPLACED = '.replaced-';

interface Mark {
  readonly from: string;
  readonly to: string;
  /** The parts that the folder `from` had when it began. */
  readonly staged: readonly string[];
}

const markFile = (dataDirectory: string) => join(statesIn(dataDirectory), MARK);

const markBackFile = (dataDirectory: string) => join(statesIn(dataDirectory), MARK_BACK);

/** An empty folder in which what comes next is prepared. */
export async function emptyNext(dataDirectory: string): Promise<string> {
  return emptied(stateFolder(dataDirectory, NEXT));
}

/** Removes what was prepared, or what has come back from its place. */
export async function forgetNext(dataDirectory: string): Promise<void> {
  await rm(stateFolder(dataDirectory, NEXT), { recursive: true, force: true });
}

/**
 * Puts the parts of the folder `.next` into the place of the service's own, of which nothing is open. Cut off before
 * the mark is written, nothing has happened; cut off afterwards, `finishExchange` does the rest.
 */
export async function exchange(dataDirectory: string): Promise<void> {
  await rm(markBackFile(dataDirectory), { force: true });
  await emptied(stateFolder(dataDirectory, FORMER));
  const back: Mark = { from: FORMER, to: NEXT, staged: partsIn(dataDirectory) };
  await writeAtomically(markBackFile(dataDirectory), JSON.stringify(back));
  const mark: Mark = { from: NEXT, to: FORMER, staged: partsIn(stateFolder(dataDirectory, NEXT)) };
  await writeAtomically(markFile(dataDirectory), JSON.stringify(mark));
  await finishExchange(dataDirectory);
}

const partsIn = (folder: string) => PARTS.filter((part) => existsSync(join(folder, part)));

/**
 * Brings back what was there before `exchange`, also where that has come to an end in between, and where nothing can be
 * written any more: the folders are there, and names alone change.
 */
export async function undoExchange(dataDirectory: string): Promise<void> {
  if (!existsSync(markBackFile(dataDirectory))) return;
  await rename(markBackFile(dataDirectory), markFile(dataDirectory));
  await finishExchange(dataDirectory);
}

/** Removes what was there before, and what is left of what came. */
export async function forgetFormer(dataDirectory: string): Promise<void> {
  await rm(markBackFile(dataDirectory), { force: true });
  await rm(stateFolder(dataDirectory, FORMER), { recursive: true, force: true });
  await forgetNext(dataDirectory);
}

/** Does what is left of an exchange that has begun. Each step leaves traces, so that it may be cut off anywhere. */
export async function finishExchange(dataDirectory: string): Promise<void> {
  const text = await readFile(markFile(dataDirectory), 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const { from, to, staged } = JSON.parse(text) as Mark;
  for (const part of PARTS) {
    const [place, next, former] = [dataDirectory, from, to].map((folder, index) =>
      join(index === 0 ? folder : stateFolder(dataDirectory, folder), part),
    ) as [string, string, string];
    // Where it is staged no more, it is in its place already.
    if (staged.includes(part) ? !existsSync(next) : !LEFT_BESIDE.includes(part)) continue;
    if (existsSync(place)) await move(place, former);
    if (staged.includes(part)) await move(next, place);
  }
  await rm(markFile(dataDirectory));
  await syncDirectory(statesIn(dataDirectory));
}

/** Removes what was left by whatever was cut off; nothing else may be saving or restoring. */
export async function tidyStates(dataDirectory: string): Promise<void> {
  const folder = statesIn(dataDirectory);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (name.startsWith(REPLACED) && !existsSync(join(folder, name.slice(REPLACED.length))))
      await rename(path, join(folder, name.slice(REPLACED.length)));
    else if (name.startsWith('.') && name !== FIRST) await rm(path, { recursive: true, force: true });
  }
}

/** Gives a finished state its name; one that has it goes. Cut off in between, `tidyStates` puts that back. */
export async function giveName(dataDirectory: string, made: string, name: string): Promise<void> {
  const place = stateFolder(dataDirectory, name);
  const replaced = stateFolder(dataDirectory, REPLACED + name);
  if (existsSync(place)) await rename(place, replaced);
  await rename(made, place);
  await syncDirectory(statesIn(dataDirectory));
  await rm(replaced, { recursive: true, force: true });
}

async function emptied(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await rename(from, to);
  await syncDirectory(dirname(to));
  await syncDirectory(dirname(from));
}
