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
      return valueText(spec.external?.target, status?.external?.current);
    case "Object":
      return valueText(spec.object?.target, status?.object?.current);
    case "Pods":
      return `${status?.pods?.current?.averageValue ?? "<unknown>"}/${spec.pods?.target?.averageValue}`;
    case "Resource":
      return utilizationText(spec.resource, status?.resource?.current);
    case "ContainerResource":
      return utilizationText(spec.containerResource, status?.containerResource?.current);
    default:
      return "<unknown type>";
  }
}

function valueText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? "<unknown>"}/${target.averageValue} (avg)`;
  return `${current?.value ?? "<unknown>"}/${target?.value}`;
}

function utilizationText(
  source: { name: string; target: MetricTarget } | undefined,
  current: MetricValueStatus | undefined,
): string {
  const target = source?.target;
  if (target?.averageValue !== undefined)
    return `${source?.name}: ${current?.averageValue ?? "<unknown>"}/${target.averageValue}`;
  const percent = (value: number | undefined, unknown: string) => (value === undefined ? unknown : `${value}%`);
  return `${source?.name}: ${percent(current?.averageUtilization, "<unknown>")}/${percent(target?.averageUtilization, "<auto>")}`;
}
