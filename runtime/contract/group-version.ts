/** Returns `apps/v1`, or `v1` for the core group. */
export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Splits `group/version`. The core group is `""`. */
export function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf("/");
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}

/** Formats a resource as messages do: `deployments.apps`, `pods`. */
export function formatGroupResource({
  group,
  resource,
}: {
  readonly group: string;
  readonly resource: string;
}): string {
  return group === "" ? resource : `${resource}.${group}`;
}
