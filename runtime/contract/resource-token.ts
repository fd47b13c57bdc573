import type { GroupVersionKind } from "./resource-descriptor.ts";

/** Names a resource and carries the TypeScript type of its kind, so that reads and writes with it are typed. */
export interface ResourceToken<T extends object> extends GroupVersionKind {
  readonly resource: string;
  readonly namespaced: boolean;
  /** Carries the type only; never set. */
  readonly object?: T;
}

/** What generated registrations are made of: `export const deployments = resourceToken<Deployment>({ … })`. */
export function resourceToken<T extends object>(token: ResourceToken<T>): ResourceToken<T> {
  return token;
}
