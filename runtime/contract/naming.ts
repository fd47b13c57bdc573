/**
 * Builds all names that are derived from the API's domain and vendor: groups (`rbac.authorization.<domain>`), and the keys of labels,
 * annotations and finalizers (`<area>.<vendor>.io/<name>`).
 */
export interface Naming {
  /** Defaults to `k8s.io`. */
  readonly domain: string;
  /** Defaults to `kubernetes`. */
  readonly vendor: string;
  /** A group under the domain: `group("storage")` is `storage.<domain>`. */
  group(prefix: string): string;
  /** A key under the vendor: `key("metadata.name")`, `key("not-ready", "node")` is `node.<vendor>.io/not-ready`. */
  key(name: string, area?: string): string;
}

export function createNaming(api: { readonly domain: string; readonly vendor: string }): Naming {
  const { domain, vendor } = api;
  return {
    domain,
    vendor,
    group: (prefix) => `${prefix}.${domain}`,
    key: (name, area) => `${area === undefined ? "" : `${area}.`}${vendor}.io/${name}`,
  };
}
