import type { ApiObject } from "../../contract/api-object.ts";
import type { GroupResource, ObjectFeed } from "../../contract/object-access.ts";
import { nameOf, type Policy, type PolicyBinding, type PolicySpec } from "./policy-objects.ts";

/** A policy with its bindings. */
export interface BoundPolicy<Spec extends PolicySpec> {
  readonly policy: Policy<Spec>;
  readonly bindings: readonly PolicyBinding[];
}

/** An in-memory index of bound policies, kept up to date by watching policies and bindings. */
export class PolicyIndex<Spec extends PolicySpec> {
  readonly #policies = new Map<string, Policy<Spec>>();
  readonly #bindings = new Map<string, PolicyBinding>();
  readonly #sources: { readonly policies: GroupResource; readonly bindings: GroupResource };
  #bound: readonly BoundPolicy<Spec>[] | undefined = [];

  constructor(sources: { readonly policies: GroupResource; readonly bindings: GroupResource }) {
    this.#sources = sources;
  }

  /** Starts watching. Resolves when all existing policies and bindings are loaded. */
  async follow(feed: ObjectFeed): Promise<() => void> {
    const keep = (known: Map<string, ApiObject>, resource: GroupResource) =>
      feed.follow(resource, ({ type, object }) => {
        if (type === "put") known.set(nameOf(object), object);
        else known.delete(nameOf(object));
        this.#bound = undefined;
      });
    const stops = await Promise.all([
      keep(this.#policies, this.#sources.policies),
      keep(this.#bindings, this.#sources.bindings),
    ]);
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Policies with bindings, sorted by name. */
  get bound(): readonly BoundPolicy<Spec>[] {
    this.#bound ??= this.#join();
    return this.#bound;
  }

  #join(): BoundPolicy<Spec>[] {
    const byPolicy = Map.groupBy(this.#bindings.values(), ({ spec }) => spec?.policyName ?? "");
    return [...this.#policies.values()].sort(byName).flatMap((policy) => {
      const bindings = byPolicy.get(nameOf(policy));
      return bindings === undefined ? [] : { policy, bindings: bindings.sort(byName) };
    });
  }
}

const byName = (a: ApiObject, b: ApiObject): number => (nameOf(a) < nameOf(b) ? -1 : 1);
