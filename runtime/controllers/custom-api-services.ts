import type { Naming } from "../contract/naming.ts";
import type { ObjectReader, ObjectWriter } from "../contract/object-access.ts";
import type { GroupVersion } from "../contract/resource-descriptor.ts";
import { hasReason } from "../contract/status.ts";
import { localApiService } from "./bootstrap/api-services.ts";
import { ensureObjects } from "./bootstrap/bootstrap-object.ts";

export interface CustomApiServiceParts {
  readonly naming: Naming;
  readonly objects: ObjectReader & ObjectWriter;
  readonly now: () => Date;
}

/** Creates APIServices for the versions of custom kinds, and deletes those of versions that are gone. */
export async function registerCustomVersions(
  versions: readonly GroupVersion[],
  { naming, objects, now }: CustomApiServiceParts,
): Promise<void> {
  const wanted = versions.map((version) => localApiService(naming, { ...version, managed: "true" }, now()));
  const resource = { group: naming.group("apiregistration"), resource: "apiservices" };
  const registered = await objects.list(resource, "", { [naming.key("automanaged", "kube-aggregator")]: "true" });
  const names = new Set(wanted.map(({ object }) => object.metadata.name));
  const gone = registered.filter(({ metadata }) => !names.has(metadata.name));
  await ensureObjects(wanted, { reader: objects, writer: objects });
  for (const { metadata } of gone) {
    try {
      await objects.delete(resource, "", metadata.name ?? "");
    } catch (error) {
      if (!hasReason(error, "NotFound")) throw error;
    }
  }
}
