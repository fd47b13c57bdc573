import { isNotGiven, noteNotGiven } from "../../../runtime/go/source-notes.ts";
import type { Job } from "./job.ts";

const NAME_LABELS = ["job-name", "batch.kubernetes.io/job-name"];
const UID_LABEL = "batch.kubernetes.io/controller-uid";
const UID_LABELS = ["controller-uid", UID_LABEL];

/** Labels that are unique to the pods of a Job, old names first. */
export function jobLabels({ name = "", uid = "" }: { name?: string; uid?: string }): Record<string, string> {
  return Object.fromEntries([
    ["controller-uid", uid],
    ["job-name", name],
    [UID_LABEL, uid],
    ["batch.kubernetes.io/job-name", name],
  ]);
}

const LABELS = "metadata.labels";

/** Records that a Job has the labels of its template by default, so that labels added to the template are added to the Job. */
export function noteSharedLabels(job: Job): void {
  noteNotGiven(job, LABELS);
}

/**
 * Gives the template of a new Job labels, and the Job a selector, of its own, unless `manualSelector` is set. A Job that got the labels of
 * its template by default gets these, too.
 */
export function generateSelector(job: Job): void {
  const { metadata, spec } = job;
  if (spec === undefined || spec.manualSelector === true) return;
  const expected = jobLabels(metadata ?? {});
  const template = ((spec.template as typeof spec.template | undefined) ??= {} as typeof spec.template);
  const templateMetadata = { ...template.metadata, labels: { ...template.metadata?.labels } };
  for (const label of [...NAME_LABELS, ...UID_LABELS]) templateMetadata.labels[label] ??= expected[label] ?? "";
  templateMetadata.labels = sortedByKey(templateMetadata.labels);
  const matchLabels = { ...spec.selector?.matchLabels };
  matchLabels[UID_LABEL] ??= metadata?.uid ?? "";
  if (isNotGiven(job, LABELS)) job.metadata = { ...metadata, labels: { ...templateMetadata.labels } };
  job.spec = {
    ...spec,
    template: { ...template, metadata: templateMetadata },
    selector: { ...spec.selector, matchLabels: sortedByKey(matchLabels) },
  };
}

function sortedByKey(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
