import { goJsonString } from "../../runtime/go/json.ts";
import { noteGivenEmpty } from "../../runtime/go/source-notes.ts";
import { type GoRules, readRules } from "./carried-values.ts";
import type {
  HorizontalPodAutoscalerBehavior as Behavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from "./v2/horizontal-pod-autoscaler.ts";

/** Serializes a behavior for the annotation of versions without the field. */
export function writeBehavior(behavior: Behavior): string {
  return goText({ ScaleUp: goRules(behavior.scaleUp), ScaleDown: goRules(behavior.scaleDown) });
}

/** Reads the behavior from that annotation; undefined if it is invalid or empty. */
export function readBehavior(text: string | undefined): Behavior | undefined {
  const value = readRules(text);
  const scaleUp = rules(value?.ScaleUp);
  const scaleDown = rules(value?.ScaleDown);
  if (scaleUp === undefined && scaleDown === undefined) return undefined;
  return { ...(scaleUp && { scaleUp }), ...(scaleDown && { scaleDown }) };
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

/**
 * Scaling rules without policies are marked as an empty list, so that validation rejects them: only versions with the field `behavior` have
 * default policies.
 */
function rules(value: GoRules | undefined): HPAScalingRules | undefined {
  if (value === undefined) return undefined;
  const { StabilizationWindowSeconds: window, SelectPolicy, Policies, Tolerance } = value;
  const policies = (Policies ?? []).map(
    ({ Type, Value, PeriodSeconds }): HPAScalingPolicy => ({ type: Type, value: Value, periodSeconds: PeriodSeconds }),
  );
  const read: HPAScalingRules = {
    ...(typeof window === "number" && { stabilizationWindowSeconds: window }),
    ...(typeof SelectPolicy === "string" && { selectPolicy: SelectPolicy }),
    ...(policies.length > 0 && { policies }),
    ...(typeof Tolerance === "string" && { tolerance: Tolerance }),
  };
  if (policies.length === 0) noteGivenEmpty(read, "policies", []);
  return read;
}
