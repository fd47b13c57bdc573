import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { parseJson } from "../../../runtime/encoding/json/parse-json.ts";
import { invalidField, requiredField } from "../../../runtime/values/field-errors.ts";
import { validateTolerations } from "../../../runtime/values/tolerations.ts";
import type { Taint, Toleration } from "./scheduling.ts";

const PREFIX = "scheduler.alpha.kubernetes.io";
const TOLERATIONS = `${PREFIX}/tolerations`;
const TAINTS = `${PREFIX}/taints`;
const AVOIDED_PODS = `${PREFIX}/preferAvoidPods`;

type Annotations = Readonly<Record<string, string>> | undefined;

/** Type of an annotation's value, under its name in Go. Field names are matched case-insensitively. */
type Shape =
  | { readonly type: string; readonly is: "string" | "boolean" | "integer" | "anything" }
  | { readonly type: string; readonly items: Shape }
  | { readonly type: string; readonly fields: Readonly<Record<string, Shape>> };

const STRING: Shape = { type: "string", is: "string" };
const BOOL: Shape = { type: "bool", is: "boolean" };
const TIME: Shape = { type: "v1.Time", is: "anything" };

const listOf = (items: Shape): Shape => ({ type: `[]${items.type}`, items });

const TOLERATION_LIST = listOf({
  type: "core.Toleration",
  fields: {
    Key: STRING,
    Operator: { type: "core.TolerationOperator", is: "string" },
    Value: STRING,
    Effect: { type: "core.TaintEffect", is: "string" },
    TolerationSeconds: { type: "int64", is: "integer" },
  },
});
const TAINT_LIST = listOf({
  type: "core.Taint",
  fields: { Key: STRING, Value: STRING, Effect: { type: "core.TaintEffect", is: "string" }, TimeAdded: TIME },
});
const AVOIDED: Shape = {
  type: "v1.AvoidPods",
  fields: {
    preferAvoidPods: listOf({
      type: "v1.PreferAvoidPodsEntry",
      fields: {
        podSignature: {
          type: "v1.PodSignature",
          fields: {
            podController: {
              type: "v1.OwnerReference",
              fields: {
                apiVersion: STRING,
                kind: STRING,
                name: STRING,
                uid: { type: "types.UID", is: "string" },
                controller: BOOL,
                blockOwnerDeletion: BOOL,
              },
            },
          },
        },
        evictionTime: TIME,
        reason: STRING,
        message: STRING,
      },
    }),
  },
};

interface AvoidedPods {
  readonly preferAvoidPods?: readonly {
    readonly podSignature?: { readonly podController?: { readonly controller?: boolean } };
  }[];
}

/** Validates tolerations in the annotation that preceded the field. */
export function validateAnnotatedTolerations(annotations: Annotations, path: string, errors: FieldError[]): void {
  const tolerations = read<readonly Toleration[]>(annotations, TOLERATIONS, TOLERATION_LIST, path, errors);
  validateTolerations(tolerations ?? [], `${path}.${TOLERATIONS}`, errors);
}

/** Validates the annotations of a node that contain taints and pods to avoid. */
export function validateNodeAnnotations(
  annotations: Annotations,
  validateTaints: (taints: readonly Taint[], path: string, errors: FieldError[]) => void,
  path: string,
  errors: FieldError[],
): void {
  const taints = read<readonly Taint[]>(annotations, TAINTS, TAINT_LIST, path, errors);
  validateTaints(taints ?? [], `${path}.${TAINTS}`, errors);
  const avoided = read<AvoidedPods>(annotations, AVOIDED_PODS, AVOIDED, `${path}.AvoidPods`, errors);
  for (const [index, { podSignature }] of (avoided?.preferAvoidPods ?? []).entries()) {
    const at = `${path}.${AVOIDED_PODS}[${index}].PodSignature`;
    const controller = podSignature?.podController;
    if (controller === undefined) errors.push(requiredField(at));
    else if (controller.controller !== true)
      errors.push(invalidField(`${at}.PodController.Controller`, false, "must point to a controller"));
  }
}

function read<T>(
  annotations: Annotations,
  key: string,
  shape: Shape,
  field: string,
  errors: FieldError[],
): T | undefined {
  const text = annotations?.[key];
  if (!text) return undefined;
  try {
    return decode(parseJson(text).value, shape) as T | undefined;
  } catch (error) {
    errors.push(invalidField(field, key, (error as Error).message));
    return undefined;
  }
}

/** Returns the value with field names in lower camel case; undefined for null. Throws an Error for a value of another type. */
function decode(value: unknown, shape: Shape, struct = "", place: readonly string[] = []): unknown {
  if (value === null || value === undefined) return undefined;
  const refuse = (): never => {
    const kind = Array.isArray(value) ? "array" : (JSON_KINDS[typeof value] ?? "object");
    const target = place.length === 0 ? "Go value" : `Go struct field ${struct}.${place.join(".")}`;
    throw new Error(`json: cannot unmarshal ${kind} into ${target} of type ${shape.type}`);
  };
  if ("is" in shape) return isOfKind(value, shape.is) ? value : refuse();
  if ("items" in shape) {
    if (!Array.isArray(value)) return refuse();
    return value.map((item) => decode(item, shape.items, struct, place) ?? {});
  }
  if (typeof value !== "object" || Array.isArray(value)) return refuse();
  const names = new Map(Object.keys(shape.fields).map((name) => [name.toLowerCase(), name]));
  const decoded: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const name = names.get(key.toLowerCase());
    if (name === undefined) continue;
    const field = decode(member, shape.fields[name] as Shape, shape.type.replace(/^.*\./, ""), [...place, name]);
    if (field !== undefined) decoded[name.charAt(0).toLowerCase() + name.slice(1)] = field;
  }
  return decoded;
}

const JSON_KINDS: Readonly<Record<string, string>> = {
  boolean: "bool",
  string: "string",
  number: "number",
  bigint: "number",
};

function isOfKind(value: unknown, kind: "string" | "boolean" | "integer" | "anything"): boolean {
  return kind === "anything" || (kind === "integer" ? Number.isInteger(value) : typeof value === kind);
}
