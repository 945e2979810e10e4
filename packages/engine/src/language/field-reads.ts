import type { Condition } from './filter/filter.ts';

/** Gathers which top-level fields of documents are looked at. */
export class FieldReads {
  readonly #names = new Set<string>();
  #isWhole = false;

  /** `path` may be dotted; without it a document is looked at as a whole. */
  add(path: string | undefined): void {
    if (path === undefined) this.#isWhole = true;
    else this.#names.add(path.split('.', 1)[0] as string);
  }

  /** None where it may be any. */
  get fields(): ReadonlySet<string> | undefined {
    return this.#isWhole ? undefined : this.#names;
  }

  /** Whatever a filter looks at. */
  addFilter({ operator, leaf, children }: Condition): void {
    if (leaf !== undefined) this.add(leaf.path.text);
    else if (children === undefined || !logical.has(operator)) this.add(undefined);
    else for (const child of children) this.addFilter(child);
  }
}

const logical: ReadonlySet<string> = new Set(['$and', '$or', '$nor', '$not']);
