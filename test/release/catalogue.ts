import type { ApiCatalogue, Lifecycle, ResourceDescriptor } from "../../runtime/contract/resource-descriptor.ts";

/** Returns a resource of an artificial catalogue. Everything that is not given has a default. */
export function resource(apiVersion: string, kind: string, lifecycle: Lifecycle, hub = apiVersion): ResourceDescriptor {
  const [group, version] = split(apiVersion);
  const [hubGroup, hubVersion] = split(hub);
  const plural = `${kind.toLowerCase()}s`;
  return {
    group,
    version,
    kind,
    resource: plural,
    singular: kind.toLowerCase(),
    listKind: `${kind}List`,
    namespaced: true,
    shortNames: [],
    categories: [],
    verbs: ["get", "list"],
    type: `${apiVersion}.${kind}`,
    subresources: [],
    columns: [],
    selectableFields: [],
    lifecycle,
    virtual: false,
    createOnUpdate: false,
    storage: { group: hubGroup, version: hubVersion, kind, resource: plural, type: `${hub}.${kind}` },
  };
}

export function catalogue(
  resources: ResourceDescriptor[],
  versions: Record<string, string[]>,
  release = "1.33",
): ApiCatalogue {
  const groups = Object.entries(versions).map(([name, order]) => ({
    name,
    versions: order,
    ...(!name.endsWith("example.com") && { kubernetes: true as const }),
  }));
  return { domain: "k8s.io", vendor: "kubernetes", release, groups, resources };
}

function split(apiVersion: string): [string, string] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}
