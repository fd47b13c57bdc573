/** The kind of parameters a policy takes. */
export function paramKindText(kind: { apiVersion?: string; kind?: string } | undefined): string {
  return kind === undefined ? "<unset>" : `${kind.apiVersion ?? ""}/${kind.kind ?? ""}`;
}

/** Which parameters a binding gives its policy. */
export function paramRefText(ref: { name?: string; namespace?: string } | undefined): string {
  return ref?.name ? `${ref.namespace || "*"}/${ref.name}` : "<unset>";
}
