import type { GroupVersionKind } from "./resource-descriptor.ts";

/** Identifies a resource and carries the TypeScript type of its kind, so that reads and writes with it are typed. */
export interface ResourceToken<T extends object> extends GroupVersionKind {
  readonly resource: string;
  readonly namespaced: boolean;
  /** Carries the type only; never set. */
  readonly object?: T;
}

/** Key under which a declaration of a kind stores its token. The same symbol in all copies of this package that a process loads. */
const TOKEN: unique symbol = Symbol.for("typeplane.resource");

interface Registered {
  [TOKEN]?: ResourceToken<object>;
}

/**
 * Used by generated registrations: `export const deployments = resourceToken<Deployment>({ … }, deployment)`. `kind()` does not know the group and
 * version that its folder represents, so the registration adds them to the result of `kind()`.
 */
export function resourceToken<T extends object>(token: ResourceToken<T>, declaration?: object): ResourceToken<T> {
  // Not enumerable, so that a declaration is printed and compared as it was written.
  if (declaration !== undefined) Object.defineProperty(declaration, TOKEN, { value: token, configurable: true });
  return token;
}

/** Returns the token of a declared kind. Undefined if its generated registration was not imported. */
export function tokenOf<T extends object>(declaration: { readonly schema?: T }): ResourceToken<T> | undefined {
  return (declaration as Registered)[TOKEN] as ResourceToken<T> | undefined;
}
