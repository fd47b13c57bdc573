import { release } from "../../release.ts";
import type { RoleRef, Subject } from "./binding.ts";

const GROUP = `rbac.authorization.${release.domain}`;

/** The API group of roles, users and groups defaults to this group; that of service accounts is the core group. */
export function defaultBinding({ roleRef, subjects }: { roleRef: RoleRef; subjects?: Subject[] }): void {
  roleRef.apiGroup ||= GROUP;
  for (const subject of subjects ?? []) {
    if (subject.kind === "User" || subject.kind === "Group") subject.apiGroup ||= GROUP;
  }
}
