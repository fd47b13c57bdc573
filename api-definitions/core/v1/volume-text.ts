const SHORT_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};
const ORDER = Object.keys(SHORT_MODES);
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

/** Access modes in their short forms, each once, in a fixed order. */
export function accessModesText(modes: readonly string[] | undefined): string {
  return ORDER.filter((mode) => modes?.includes(mode))
    .map((mode) => SHORT_MODES[mode])
    .join(",");
}

/** The storage class of a volume or claim: the old annotation wins over the field. */
export function storageClassOf(
  metadata: { annotations?: Record<string, string> } | undefined,
  field: string | undefined,
): string {
  return metadata?.annotations?.[CLASS_ANNOTATION] ?? field ?? "";
}
