import { parseQuantity } from "../../runtime/values/quantity.ts";
import { isTime } from "../../runtime/values/times.ts";
import type { HorizontalPodAutoscalerCondition } from "./v2/horizontal-pod-autoscaler.ts";
import type { MetricSpec, MetricStatus } from "./v2beta1/metrics.ts";

/** Go's names of the fields of a behavior: the annotation holds Kubernetes' internal type. */
export interface GoRules {
  readonly StabilizationWindowSeconds?: number | null;
  readonly SelectPolicy?: string | null;
  readonly Policies?:
    | readonly { readonly Type: string; readonly Value: number; readonly PeriodSeconds: number }[]
    | null;
  readonly Tolerance?: string | null;
}

/** Reads the metrics in an annotation; undefined if there are none or Kubernetes cannot decode them, which ignores them then. */
export function readMetrics(text: string | undefined): MetricSpec[] | undefined {
  return read(text, METRICS) as MetricSpec[] | undefined;
}

/** As `readMetrics`, for the current metrics. */
export function readCurrentMetrics(text: string | undefined): MetricStatus[] | undefined {
  return read(text, CURRENT_METRICS) as MetricStatus[] | undefined;
}

/** As `readMetrics`, for the conditions. */
export function readConditions(text: string | undefined): HorizontalPodAutoscalerCondition[] | undefined {
  return read(text, CONDITIONS) as HorizontalPodAutoscalerCondition[] | undefined;
}

/** As `readMetrics`, for the rules of the behavior. */
export function readRules(text: string | undefined): { ScaleUp?: GoRules; ScaleDown?: GoRules } | undefined {
  return read(text, BEHAVIOR) as { ScaleUp?: GoRules; ScaleDown?: GoRules } | undefined;
}

/** Decodes a value; throws a TypeError for a value that Go cannot decode. Null decodes to the zero value. */
type Decode = (value: unknown) => unknown;

function mismatch(value: unknown): never {
  throw new TypeError(`cannot decode ${typeof value}`);
}

const text: Decode = (value) => (typeof value === "string" ? value : value === null ? "" : mismatch(value));

const int32: Decode = (value) => {
  if (value === null) return 0;
  return typeof value === "number" && (value | 0) === value ? value : mismatch(value);
};

const time: Decode = (value) =>
  value === null || (typeof value === "string" && isTime(value)) ? value : mismatch(value);

const quantity: Decode = (value) => {
  if (typeof value !== "string" && typeof value !== "number") return mismatch(value);
  const trimmed = String(value).trim();
  parseQuantity(trimmed);
  return trimmed;
};

const listOf =
  (decode: Decode): Decode =>
  (value) => {
    if (value === null) return [];
    return Array.isArray(value) ? value.map((element) => decode(element)) : mismatch(value);
  };

const textMap: Decode = (value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return mismatch(value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, text(member)]));
};

/** `zero` holds the fields that Go always has. Names match without regard to case; unknown fields are ignored. */
function struct(fields: Readonly<Record<string, Decode>>, zero: Readonly<Record<string, unknown>> = {}): Decode {
  const names = new Map(Object.keys(fields).map((name) => [name.toLowerCase(), name]));
  return (value) => {
    if (typeof value !== "object" || Array.isArray(value)) return mismatch(value);
    const decoded: Record<string, unknown> = { ...zero };
    for (const [key, member] of Object.entries(value ?? {})) {
      const name = names.get(key.toLowerCase());
      if (name !== undefined && member !== null) decoded[name] = fields[name]?.(member);
    }
    return decoded;
  };
}

const reference = struct({ kind: text, name: text, apiVersion: text }, { kind: "", name: "" });
const requirement = struct({ key: text, operator: text, values: listOf(text) }, { key: "", operator: "" });
const selector = struct({ matchLabels: textMap, matchExpressions: listOf(requirement) });

const usage = { name: text, targetAverageUtilization: int32, targetAverageValue: quantity };
const METRICS = listOf(
  struct(
    {
      type: text,
      object: struct(
        { target: reference, metricName: text, targetValue: quantity, selector, averageValue: quantity },
        { target: { kind: "", name: "" }, metricName: "", targetValue: "0" },
      ),
      pods: struct(
        { metricName: text, targetAverageValue: quantity, selector },
        { metricName: "", targetAverageValue: "0" },
      ),
      resource: struct(usage, { name: "" }),
      containerResource: struct({ ...usage, container: text }, { name: "", container: "" }),
      external: struct(
        { metricName: text, metricSelector: selector, targetValue: quantity, targetAverageValue: quantity },
        { metricName: "" },
      ),
    },
    { type: "" },
  ),
);

const used = { name: text, currentAverageUtilization: int32, currentAverageValue: quantity };
const CURRENT_METRICS = listOf(
  struct(
    {
      type: text,
      object: struct(
        { target: reference, metricName: text, currentValue: quantity, selector, averageValue: quantity },
        { target: { kind: "", name: "" }, metricName: "", currentValue: "0" },
      ),
      pods: struct(
        { metricName: text, currentAverageValue: quantity, selector },
        { metricName: "", currentAverageValue: "0" },
      ),
      resource: struct(used, { name: "", currentAverageValue: "0" }),
      containerResource: struct({ ...used, container: text }, { name: "", currentAverageValue: "0", container: "" }),
      external: struct(
        { metricName: text, metricSelector: selector, currentValue: quantity, currentAverageValue: quantity },
        { metricName: "", currentValue: "0" },
      ),
    },
    { type: "" },
  ),
);

const CONDITIONS = listOf(
  struct({ type: text, status: text, lastTransitionTime: time, reason: text, message: text }, { type: "", status: "" }),
);

const policy = struct({ Type: text, Value: int32, PeriodSeconds: int32 }, { Type: "", Value: 0, PeriodSeconds: 0 });
const rules = struct({
  StabilizationWindowSeconds: int32,
  SelectPolicy: text,
  Policies: listOf(policy),
  Tolerance: quantity,
});
const BEHAVIOR = struct({ ScaleUp: rules, ScaleDown: rules });

function read(annotation: string | undefined, decode: Decode): unknown {
  if (annotation === undefined) return undefined;
  try {
    return decode(JSON.parse(annotation));
  } catch {
    return undefined;
  }
}
