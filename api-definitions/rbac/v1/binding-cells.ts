import type { RoleRef, Subject } from "./binding.ts";

/** Table cells of both kinds of bindings: the role, and the subjects by kind. */
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
