import type { ApiObject } from "../contract/api-object.ts";
import { parseApiVersion } from "../contract/group-version.ts";
import type { ResourceDescriptor } from "../contract/resource-descriptor.ts";
import type { ServedVersion, ServedVersions } from "../contract/served-versions.ts";
import { UnconvertibleError } from "../store/errors.ts";
import { internalError } from "../values/status-errors.ts";
import type { ApiSurface } from "./api-surface.ts";

/** Finds the versions of all resources that are currently served. */
export function createServedVersions(surface: () => ApiSurface): ServedVersions {
  return {
    equivalents({ group, version, resource }, subresource) {
      const found = surface().find(group, version, resource);
      if (found === undefined) return [];
      const hasPart = ({ subresources }: ResourceDescriptor) =>
        subresource === "" || subresources.some(({ name }) => name === subresource);
      return surface()
        .versionsOf(found)
        .map((entry) => entry.descriptor)
        .filter(hasPart)
        .map(servedVersion);
    },
    find(apiVersion, kind) {
      const { group, version } = parseApiVersion(apiVersion);
      const found = surface().findKind(group, version, kind);
      return found && servedVersion(found.descriptor);
    },
    async convert(object, { group, version, resource }): Promise<ApiObject> {
      const served = await surface().find(group, version, resource)?.load();
      if (served?.conversion === undefined) return served === undefined ? object : served.fromStored(object);
      return served.conversion.convert(object, served.apiVersion).catch((error: unknown) => {
        throw error instanceof UnconvertibleError ? internalError(error.message) : error;
      });
    },
  };
}

function servedVersion({ group, version, resource, kind, namespaced, storage }: ResourceDescriptor): ServedVersion {
  return {
    resource: { group, version, resource },
    kind: { group, version, kind },
    namespaced,
    stored: { group: storage.group, resource: storage.resource },
  };
}
