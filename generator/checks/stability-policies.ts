import { KUBERNETES_POLICY } from "../model/build-project.ts";
import type { Model, StabilityPolicy } from "../model/model.ts";

export const RANK = { alpha: 0, beta: 1, stable: 2 } as const;

export function stabilityOf(version: string): keyof typeof RANK {
  return version.includes("alpha") ? "alpha" : version.includes("beta") ? "beta" : "stable";
}

/** Stability rules and calendar of each group. Kubernetes' groups have those of Kubernetes. */
export class Policies {
  readonly #model: Model;
  readonly #positions: ReadonlyMap<string, number>;

  constructor(model: Model) {
    this.#model = model;
    this.#positions = new Map(model.project.releases.map(({ release }, index) => [release, index]));
  }

  isOwn(group: string): boolean {
    return this.#model.groups.find(({ name }) => name === group)?.kubernetes !== true;
  }

  of(group: string): StabilityPolicy {
    const { policy, groupPolicies } = this.#model.project;
    return this.isOwn(group) ? (groupPolicies.get(group) ?? policy) : KUBERNETES_POLICY;
  }

  /** The current release in the group's calendar. */
  currentRelease(group: string): string {
    return this.isOwn(group) ? this.#model.project.release : this.#model.release;
  }

  /** Number of releases from one to another in the group's calendar; 0 if one of them is not in it, which another check reports. */
  distance(group: string, from: string, to: string): number {
    if (!this.isOwn(group) || this.#positions.size === 0) return minorOf(to) - minorOf(from);
    const [start, end] = [this.#positions.get(from), this.#positions.get(to)];
    return start === undefined || end === undefined ? 0 : end - start;
  }
}

/** Returns the minor version. Releases of Kubernetes are counted within a major version. */
export function minorOf(release: string): number {
  return Number(release.slice(release.indexOf(".") + 1));
}
