/** The discovery document of another server for one version, reduced to the fields that clients see. */
export interface DiscoveredVersion {
  readonly version: string;
  readonly resources: readonly DiscoveredResource[];
}

export interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind: DiscoveredKind;
  readonly scope: "Namespaced" | "Cluster";
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly DiscoveredSubresource[];
}

export interface DiscoveredSubresource {
  readonly subresource: string;
  readonly responseKind: DiscoveredKind;
  readonly acceptedTypes?: readonly DiscoveredKind[];
  readonly verbs: readonly string[];
}

interface DiscoveredKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the versions in an APIGroupDiscoveryList, by `<group>/<version>`. */
export function readAggregated(document: unknown): Map<string, DiscoveredVersion> {
  const found = new Map<string, DiscoveredVersion>();
  for (const group of objects(fields(document).items)) {
    const name = text(fields(group.metadata).name);
    for (const entry of objects(group.versions)) {
      const version = text(entry.version);
      found.set(`${name}/${version}`, { version, resources: objects(entry.resources).map(readResource) });
    }
  }
  return found;
}

/** Reads an APIResourceList, in which subresources are separate entries. Throws if a subresource and its resource have different scopes. */
export function readResourceList(document: unknown, version: string): DiscoveredVersion {
  const entries = objects(fields(document).resources);
  const resources = new Map<string, DiscoveredResource & { subresources: DiscoveredSubresource[] }>();
  for (const entry of entries) {
    const name = text(entry.name);
    if (!name.includes("/")) resources.set(name, { ...resourceOf(name, entry), subresources: [] });
  }
  for (const entry of entries) {
    const [parentName = "", ...rest] = text(entry.name).split("/");
    if (rest.length === 0) continue;
    const parent = resources.get(parentName) ?? {
      resource: parentName,
      responseKind: NO_KIND,
      scope: scopeOf(entry),
      singularResource: "",
      verbs: [],
      subresources: [],
    };
    resources.set(parentName, parent);
    const subresource = rest.join("/");
    const scope = scopeOf(entry);
    if (parent.scope !== scope) {
      const what = `Parent ${parentName} (scope: ${parent.scope}) and subresource ${subresource} (scope: ${scope})`;
      throw new Error(`Error: ${what} scope do not match`);
    }
    const responseKind = text(entry.kind) === "" ? NO_KIND : kindOf(entry);
    parent.subresources.push({ subresource, responseKind, verbs: texts(entry.verbs) });
  }
  return { version, resources: [...resources.values()].map(withoutEmpty) };
}

const NO_KIND: DiscoveredKind = { group: "", version: "", kind: "" };

function resourceOf(name: string, entry: Fields): DiscoveredResource {
  return withoutEmpty({
    resource: name,
    responseKind: kindOf(entry),
    scope: scopeOf(entry),
    singularResource: text(entry.singularName),
    verbs: texts(entry.verbs),
    shortNames: texts(entry.shortNames),
    categories: texts(entry.categories),
  });
}

function readResource(entry: Fields): DiscoveredResource {
  return withoutEmpty({
    resource: text(entry.resource),
    responseKind: kindOf(fields(entry.responseKind)),
    scope: entry.scope === "Namespaced" ? "Namespaced" : "Cluster",
    singularResource: text(entry.singularResource),
    verbs: texts(entry.verbs),
    shortNames: texts(entry.shortNames),
    categories: texts(entry.categories),
    subresources: objects(entry.subresources).map(readSubresource),
  });
}

function readSubresource(entry: Fields): DiscoveredSubresource {
  const acceptedTypes = objects(entry.acceptedTypes).map(kindOf);
  return {
    subresource: text(entry.subresource),
    responseKind: kindOf(fields(entry.responseKind)),
    ...(acceptedTypes.length > 0 && { acceptedTypes }),
    verbs: texts(entry.verbs),
  };
}

/** Omits empty lists. */
function withoutEmpty({ shortNames, categories, subresources, ...rest }: DiscoveredResource): DiscoveredResource {
  return {
    ...rest,
    ...(shortNames?.length && { shortNames }),
    ...(categories?.length && { categories }),
    ...(subresources?.length && { subresources }),
  };
}

function scopeOf({ namespaced }: Fields): "Namespaced" | "Cluster" {
  return namespaced === true ? "Namespaced" : "Cluster";
}

function kindOf({ group, version, kind }: Fields): DiscoveredKind {
  return { group: text(group), version: text(version), kind: text(kind) };
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function objects(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
