import type { RoleRef, Subject } from "./binding.ts";

/** What both kinds of bindings show: the role, and who has it by kind of subject. */
export function bindingCells({
  roleRef,
  subjects = [],
}: {
  readonly roleRef: RoleRef;
  readonly subjects?: readonly Subject[];
}): Record<string, unknown> {
  const names = (kind: string) => subjects.filter((subject) => subject.kind === kind);
  return {
    Role: `${roleRef.kind}/${roleRef.name}`,
    Users: names("User")
      .map((subject) => subject.name)
      .join(", "),
    Groups: names("Group")
      .map((subject) => subject.name)
      .join(", "),
    ServiceAccounts: names("ServiceAccount")
      .map((subject) => `${subject.namespace ?? ""}/${subject.name}`)
      .join(", "),
  };
}
