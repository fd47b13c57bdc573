import { listText } from "../../../runtime/values/table-text.ts";
import type { MetricSpec, MetricStatus, MetricTarget, MetricValueStatus } from "./metrics.ts";

/** Current and wanted values of an autoscaler's metrics, two at the most: `cpu: 12%/80%, 3/5 (avg)`. */
export function metricsText(
  specs: readonly MetricSpec[] | undefined,
  statuses: readonly MetricStatus[] | undefined,
): string {
  if (specs === undefined || specs.length === 0) return "<none>";
  return listText(
    specs.map((spec, index) => metricText(spec, statuses?.[index])),
    { max: 2, empty: "<none>", separator: ", " },
  );
}

function metricText(spec: MetricSpec, status: MetricStatus | undefined): string {
  switch (spec.type) {
    case "External":
      return valueText(spec.external?.target, status?.external);
    case "Object":
      return valueText(spec.object?.target, status?.object);
    case "Pods":
      return `${currentText(status?.pods, "averageValue")}/${spec.pods?.target?.averageValue}`;
    case "Resource":
      return utilizationText(spec.resource, status?.resource);
    case "ContainerResource":
      return utilizationText(spec.containerResource, status?.containerResource);
    default:
      return "<unknown type>";
  }
}

interface Measured {
  readonly current?: MetricValueStatus;
}

/** As in Kubernetes, a metric with a status that lacks the value differs from one without a status. */
function currentText(status: Measured | undefined, name: "value" | "averageValue"): string {
  return status === undefined ? "<unknown>" : (status.current?.[name] ?? "<nil>");
}

function valueText(target: MetricTarget | undefined, status: Measured | undefined): string {
  if (target?.averageValue !== undefined)
    return `${status?.current?.averageValue ?? "<unknown>"}/${target.averageValue} (avg)`;
  return `${currentText(status, "value")}/${target?.value}`;
}

function utilizationText(
  source: { name: string; target: MetricTarget } | undefined,
  status: Measured | undefined,
): string {
  const target = source?.target;
  if (target?.averageValue !== undefined)
    return `${source?.name}: ${currentText(status, "averageValue")}/${target.averageValue}`;
  const percent = (value: number | undefined, unknown: string) => (value === undefined ? unknown : `${value}%`);
  return `${source?.name}: ${percent(status?.current?.averageUtilization, "<unknown>")}/${percent(target?.averageUtilization, "<auto>")}`;
}
