import type { GroupVersionKind } from "./resource-descriptor.ts";

/** Names a resource and remembers the interface of its kind, so that whoever is handed one knows what it reads and writes. */
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
