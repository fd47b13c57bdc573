const DEFAULT_ANNOTATIONS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

/** Whether a StorageClass is marked as the default for claims without class. */
export function isDefaultClass(metadata: { annotations?: Record<string, string> } | undefined): boolean {
  return DEFAULT_ANNOTATIONS.some((annotation) => metadata?.annotations?.[annotation] === "true");
}
