import type { Naming } from "../contract/naming.ts";
import type { ObjectReader, ObjectWriter } from "../contract/object-access.ts";
import type { GroupVersion } from "../contract/resource-descriptor.ts";
import { hasReason } from "../contract/status.ts";
import { type ApiServiceOptions, localApiService, type RankedVersion } from "./bootstrap/api-services.ts";
import { ensureObjects } from "./bootstrap/bootstrap-object.ts";

export interface LocalApiServiceParts {
  readonly naming: Naming;
  readonly objects: ObjectReader & ObjectWriter;
  readonly now: () => Date;
}

/** A group version, with whether this server serves it. */
export interface LocalVersion extends RankedVersion {
  readonly isServed: boolean;
}

/**
 * Creates the APIServices of served versions. Deletes those of the other versions that have the same label: `true` for versions of custom kinds,
 * `onstart` for versions of defined kinds.
 */
export async function registerVersions(
  managed: ApiServiceOptions["managed"],
  versions: readonly LocalVersion[],
  { naming, objects, now }: LocalApiServiceParts,
): Promise<void> {
  const served = versions.filter(({ isServed }) => isServed);
  const wanted = served.map(({ group, version, priority }) =>
    localApiService(naming, { group, version, priority, managed }, now()),
  );
  await ensureObjects(wanted, { reader: objects, writer: objects });
  const resource = { group: naming.group("apiregistration"), resource: "apiservices" };
  for (const { group, version, isServed } of versions) {
    const name = `${version}.${group}`;
    const registered = isServed ? undefined : await objects.get(resource, "", name);
    if (registered?.metadata.labels?.[automanaged(naming)] !== managed) continue;
    try {
      await objects.delete(resource, "", name);
    } catch (error) {
      if (!hasReason(error, "NotFound")) throw error;
    }
  }
}

/** Returns the group versions of the APIServices that were created for custom kinds. */
export async function registeredVersions({ naming, objects }: LocalApiServiceParts): Promise<GroupVersion[]> {
  const resource = { group: naming.group("apiregistration"), resource: "apiservices" };
  const registered = await objects.list(resource, "", { [automanaged(naming)]: "true" });
  return registered.map(({ metadata }) => versionNamed(metadata.name ?? ""));
}

/** Splits the name of an APIService, such as `v1.example.com`. */
export function versionNamed(name: string): GroupVersion {
  const dot = name.indexOf(".");
  return { version: name.slice(0, dot), group: name.slice(dot + 1) };
}

function automanaged(naming: Naming): string {
  return naming.key("automanaged", "kube-aggregator");
}
