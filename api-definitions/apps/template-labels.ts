interface Workload {
  metadata?: { labels?: Record<string, string> };
  spec?: { selector?: object; template?: { metadata?: { labels?: Record<string, string> } } };
}

/** Defaults the selector and the labels of a workload to the labels of its template, as versions before apps/v1beta2 did. */
export function takeTemplateLabels({ metadata, spec }: Workload): void {
  const labels = spec?.template?.metadata?.labels;
  if (spec === undefined || labels === undefined) return;
  spec.selector ??= { matchLabels: { ...labels } };
  if (metadata !== undefined && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
}
