/**
 * This file reads path templates in the contract's notation: `/groups/{groupId}/clusters/{clusterName}:pin`.
 */

const NAME = /\{(\w+)\}/;

/** Splits a template into literals at even indexes and names at odd ones. */
export function partsOf(template: string): readonly string[] {
  return template.split(NAME);
}

export function namesIn(template: string): readonly string[] {
  return partsOf(template).filter((_, index) => index % 2 === 1);
}

/**
 * Builds a path from `params`, and from `others` for parameters that `params` lacks. Undefined if a parameter is in
 * neither.
 */
export type PathWriter = (params: Params, others: Params) => string | undefined;

export type Params = Readonly<Record<string, string | undefined>>;

export function pathWriter(template: string): PathWriter {
  // The path of the root is the base path itself.
  const [begin = '', ...rest] = partsOf(template === '/' ? '' : template);
  return (params, others) => {
    let path = begin;
    for (let index = 0; index < rest.length; index += 2) {
      const name = rest[index] ?? '';
      const value = params[name] ?? others[name];
      if (value === undefined) return undefined;
      path += encodeURIComponent(value) + (rest[index + 1] ?? '');
    }
    return path;
  };
}
