const DEFAULT_ANNOTATIONS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

/** Whether a storage class is marked as the one claims get when they name none. */
export function isDefaultClass(metadata: { annotations?: Record<string, string> } | undefined): boolean {
  return DEFAULT_ANNOTATIONS.some((annotation) => metadata?.annotations?.[annotation] === "true");
}
