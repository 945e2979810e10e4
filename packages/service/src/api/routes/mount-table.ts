import type { IncomingHttpHeaders } from 'node:http';
import type { Mount } from '../mounts.ts';
import { namesIn } from './path-template.ts';
import { type PathMatch, PathTree } from './path-tree.ts';
import { allowOf } from './route-table.ts';

/** An endpoint that is not an operation, and the values of its path parameters. */
interface MountMatch {
  readonly mount: Mount;
  readonly params: Readonly<Record<string, string>>;
}

/** Endpoints that are not operations, by method and path. */
export class MountTable {
  readonly #mounts = new PathTree<Mount>();

  constructor(mounts: readonly Mount[]) {
    for (const mount of mounts) this.#mounts.add(mount.path, mount);
  }

  /** Looks up a path without its query. HEAD is available wherever GET is. */
  find(method: string, path: string, headers: IncomingHttpHeaders): MountMatch | undefined {
    const asked = method === 'HEAD' ? 'GET' : method;
    const match = this.#mounts
      .match(path)
      .find(({ value: { method, serves } }) => method === asked && serves?.(headers) !== false);
    return match && { mount: match.value, params: paramsOf(match) };
  }

  /** Returns the methods of a path; empty for an unknown path. */
  methodsOf(path: string): readonly string[] {
    const mounts = this.#mounts.match(path).map(({ value }) => value);
    return allowOf(mounts.filter(({ serves }) => serves === undefined));
  }
}

function paramsOf({ value, values }: PathMatch<Mount>): MountMatch['params'] {
  return Object.fromEntries(namesIn(value.path).map((name, index) => [name, values[index] ?? '']));
}
