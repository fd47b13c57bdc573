/** Kubernetes' internal types of these kinds have a number of pods, which is 0 in bookmarks. */
export function showNoReplicas(object: { spec?: { replicas?: number } }): void {
  object.spec = { replicas: 0, ...object.spec };
}
