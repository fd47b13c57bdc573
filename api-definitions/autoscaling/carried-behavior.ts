import { goJsonString } from "../../runtime/go/json.ts";
import type {
  HorizontalPodAutoscalerBehavior as Behavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from "./v2/horizontal-pod-autoscaler.ts";

/** Go's names of the fields of a behaviour: the annotation holds them as Kubernetes' own code calls them. */
interface GoRules {
  readonly StabilizationWindowSeconds?: number | null;
  readonly SelectPolicy?: string | null;
  readonly Policies?:
    | readonly { readonly Type: string; readonly Value: number; readonly PeriodSeconds: number }[]
    | null;
  readonly Tolerance?: string | null;
}

/** Serializes a behavior for the annotation of versions without the field. */
export function writeBehavior(behavior: Behavior): string {
  return goText({ ScaleUp: goRules(behavior.scaleUp), ScaleDown: goRules(behavior.scaleDown) });
}

/** Reads the behavior from that annotation; undefined if it is invalid or empty. */
export function readBehavior(text: string | undefined): Behavior | undefined {
  const value = readJson<{ ScaleUp?: GoRules | null; ScaleDown?: GoRules | null }>(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const scaleUp = rules(value.ScaleUp);
  const scaleDown = rules(value.ScaleDown);
  if (scaleUp === undefined && scaleDown === undefined) return undefined;
  return { ...(scaleUp && { scaleUp }), ...(scaleDown && { scaleDown }) };
}

/** JSON of an annotation; undefined if it is not valid. */
export function readJson<T>(text: string | undefined): T | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

/** JSON as Go writes it: `<`, `>` and `&` escaped, keys in the order they are given. */
export function goText(value: unknown): string {
  if (typeof value === "string") return goJsonString(value);
  if (Array.isArray(value)) return `[${value.map(goText).join(",")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${goJsonString(key)}:${goText(member)}`).join(",")}}`;
}

function goRules(rules: HPAScalingRules | undefined): GoRules | null {
  if (rules === undefined) return null;
  return {
    StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
    SelectPolicy: rules.selectPolicy ?? null,
    Policies:
      rules.policies?.map(({ type, value, periodSeconds }) => ({
        Type: type,
        Value: value,
        PeriodSeconds: periodSeconds,
      })) ?? null,
    Tolerance: rules.tolerance === undefined ? null : String(rules.tolerance),
  };
}

function rules(value: GoRules | null | undefined): HPAScalingRules | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { StabilizationWindowSeconds: window, SelectPolicy, Policies, Tolerance } = value;
  const policies = Policies?.map(
    ({ Type, Value, PeriodSeconds }): HPAScalingPolicy => ({ type: Type, value: Value, periodSeconds: PeriodSeconds }),
  );
  return {
    ...(typeof window === "number" && { stabilizationWindowSeconds: window }),
    ...(typeof SelectPolicy === "string" && { selectPolicy: SelectPolicy }),
    ...(policies && { policies }),
    ...(typeof Tolerance === "string" && { tolerance: Tolerance }),
  };
}
