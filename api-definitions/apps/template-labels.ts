interface Workload {
  metadata?: { labels?: Record<string, string> };
  spec?: { selector?: object; template?: { metadata?: { labels?: Record<string, string> } } };
}

/** Before apps/v1beta2 the selector and the labels of a workload defaulted to the labels of its template. */
export function takeTemplateLabels({ metadata, spec }: Workload): void {
  const labels = spec?.template?.metadata?.labels;
  if (spec === undefined || labels === undefined) return;
  spec.selector ??= { matchLabels: { ...labels } };
  if (metadata !== undefined && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
}
