/** Table cell for the parameter kind of a policy. */
export function paramKindText(kind: { apiVersion?: string; kind?: string } | undefined): string {
  return kind === undefined ? "<unset>" : `${kind.apiVersion ?? ""}/${kind.kind ?? ""}`;
}

/** Table cell for the parameter reference of a binding. */
export function paramRefText(ref: { name?: string; namespace?: string } | undefined): string {
  return ref?.name ? `${ref.namespace || "*"}/${ref.name}` : "<unset>";
}
