import type { Naming } from "../contract/naming.ts";
import type { GroupResource, ObjectFeed, ObjectReader, ObjectWriter } from "../contract/object-access.ts";
import type { GroupVersion, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import type { Log } from "../lib/log.ts";
import { registeredVersions, registerVersions, versionNamed } from "./local-api-services.ts";

/** Custom resources that are no longer served, and those that are served now. */
export interface CustomKindChange {
  readonly removed: readonly { readonly descriptor: ResourceDescriptor }[];
  readonly added: readonly { readonly descriptor: ResourceDescriptor }[];
}

/** The currently served kinds. */
interface Served {
  /** Whether a group contains custom kinds only. */
  isCustom(group: string): boolean;
  hasVersion(group: string, version: string): boolean;
}

export interface CustomKindChangeParts {
  readonly naming: Naming;
  readonly objects: ObjectReader & ObjectWriter;
  readonly feed: ObjectFeed;
  readonly surface: () => Served;
  /** The controllers that watch objects of all kinds; undefined until they are started. */
  readonly controllers: () => { kindsChanged(changed: readonly GroupResource[]): Promise<void> } | undefined;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Applies the consequences of changed custom kinds: updates the APIServices of their versions, and notifies controllers that watch their objects.
 * Only changed versions and kinds are checked. The first run also deletes APIServices of versions that no longer exist.
 */
export class CustomKindChanges {
  readonly #parts: CustomKindChangeParts;
  readonly #versions = new Map<string, GroupVersion>();
  readonly #resources = new Map<string, GroupResource>();
  #knowsRegistered = false;
  #applying: Promise<void> = Promise.resolve();

  constructor(parts: CustomKindChangeParts) {
    this.#parts = parts;
  }

  /** Recreates deleted APIServices of custom kinds until the returned function is called. */
  async follow(): Promise<() => Promise<void>> {
    const { naming, feed, surface, log } = this.#parts;
    const apiServices = { group: naming.group("apiregistration"), resource: "apiservices" };
    let isStopped = false;
    const unfollow = await feed.follow(apiServices, ({ type, name }) => {
      const version = versionNamed(name);
      if (isStopped || type !== "delete" || !this.#isServed(surface(), version)) return;
      this.#noteVersion(version);
      this.apply().catch((error: unknown) => log("warn", `APIService ${name}: ${String(error)}`));
    });
    return async () => {
      isStopped = true;
      unfollow();
      await this.#applying.catch(() => undefined);
    };
  }

  note({ removed, added }: CustomKindChange): void {
    for (const { descriptor } of [...removed, ...added]) {
      const { group, resource } = descriptor.storage;
      this.#noteVersion(descriptor);
      this.#resources.set(`${group}/${resource}`, { group, resource });
    }
  }

  #noteVersion({ group, version }: GroupVersion): void {
    this.#versions.set(`${group}/${version}`, { group, version });
  }

  /** Applies the consequences of the noted changes. Calls are processed sequentially. */
  apply(): Promise<void> {
    const next = this.#applying.catch(() => undefined).then(() => this.#apply());
    this.#applying = next;
    return next;
  }

  async #apply(): Promise<void> {
    const { surface } = this.#parts;
    if (!this.#knowsRegistered) {
      for (const version of await registeredVersions(this.#parts)) this.#noteVersion(version);
      this.#knowsRegistered = true;
    }
    const versions = [...this.#versions.values()];
    this.#versions.clear();
    try {
      const current = surface();
      const judged = versions.map((version) => ({ ...version, isServed: this.#isServed(current, version) }));
      await registerVersions("true", judged, this.#parts);
    } catch (error) {
      for (const version of versions) this.#noteVersion(version);
      throw error;
    }
    const controllers = this.#parts.controllers();
    if (controllers === undefined) return;
    const resources = [...this.#resources.values()];
    this.#resources.clear();
    if (resources.length > 0) await controllers.kindsChanged(resources);
  }

  #isServed(surface: Served, { group, version }: GroupVersion): boolean {
    return surface.isCustom(group) && surface.hasVersion(group, version);
  }
}
