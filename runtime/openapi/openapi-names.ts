/** Returns the name of a group in tags and operation ids: `apps`, `rbacAuthorization` (without the domain), `core`, `libraryExampleCom`. */
export function groupTag(group: string, domain: string): string {
  if (group === "") return "core";
  const own = group.endsWith(`.${domain}`) ? group.slice(0, -domain.length - 1) : group;
  const [first = "", ...rest] = own.split(/[.-]/);
  return first + rest.map(capitalize).join("");
}

/** Returns the part of operation ids between verb and kind: `AppsV1`, `RbacAuthorizationV1`. */
export function versionWord(group: string, version: string, domain: string): string {
  return capitalize(groupTag(group, domain)) + capitalize(version);
}

/** Returns `/apis/apps/v1`, or `/api/v1` for the core group. */
export function versionPath(group: string, version: string): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
