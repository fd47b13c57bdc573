import type { GroupVersionKind } from "./resource-descriptor.ts";

/** Names a resource and carries the TypeScript type of its kind, so that reads and writes with it are typed. */
export interface ResourceToken<T extends object> extends GroupVersionKind {
  readonly resource: string;
  readonly namespaced: boolean;
  /** Carries the type only; never set. */
  readonly object?: T;
}

/** Where a declaration of a kind keeps its token. The same symbol in every copy of this package that a process may load. */
const TOKEN: unique symbol = Symbol.for("typeplane.resource");

interface Registered {
  [TOKEN]?: ResourceToken<object>;
}

/**
 * What generated registrations are made of: `export const deployments = resourceToken<Deployment>({ … }, deployment)`. `kind()` does not
 * know the group and version that its folder stands for: the registration adds them to what `kind()` returned.
 */
export function resourceToken<T extends object>(token: ResourceToken<T>, declaration?: object): ResourceToken<T> {
  // Not enumerable: a declaration that is printed or compared is what was written.
  if (declaration !== undefined) Object.defineProperty(declaration, TOKEN, { value: token, configurable: true });
  return token;
}

/** The token of a declared kind; undefined if its generated registration was not imported. */
export function tokenOf<T extends object>(declaration: { readonly schema?: T }): ResourceToken<T> | undefined {
  return (declaration as Registered)[TOKEN] as ResourceToken<T> | undefined;
}
