/**
 * The words of a group in tags and operation ids: `apps`, `rbacAuthorization` (the domain goes without saying), `core`,
 * `libraryExampleCom`.
 */
export function groupTag(group: string, domain: string): string {
  if (group === "") return "core";
  const own = group.endsWith(`.${domain}`) ? group.slice(0, -domain.length - 1) : group;
  const [first = "", ...rest] = own.split(/[.-]/);
  return first + rest.map(capitalize).join("");
}

/** `AppsV1`, `RbacAuthorizationV1`: what operation ids carry between verb and kind. */
export function versionWord(group: string, version: string, domain: string): string {
  return capitalize(groupTag(group, domain)) + capitalize(version);
}

/** `/apis/apps/v1`, or `/api/v1` for the core group. */
export function versionPath(group: string, version: string): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
