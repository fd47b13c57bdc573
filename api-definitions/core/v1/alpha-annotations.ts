import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { parseJson } from "../../../runtime/encoding/json/parse-json.ts";
import { invalidField, requiredField } from "../../../runtime/values/field-errors.ts";
import type { Taint, Toleration } from "./scheduling.ts";
import { validateTolerations } from "./validation/scheduling.ts";

const PREFIX = "scheduler.alpha.kubernetes.io";
const TOLERATIONS = `${PREFIX}/tolerations`;
const TAINTS = `${PREFIX}/taints`;
const AVOIDED_PODS = `${PREFIX}/preferAvoidPods`;

type Annotations = Readonly<Record<string, string>> | undefined;

interface AvoidedPods {
  readonly preferAvoidPods?: readonly {
    readonly podSignature?: { readonly podController?: { readonly controller?: boolean } };
  }[];
}

/** Tolerations stood in an annotation before they were a field; who still writes them there must write sound ones. */
export function validateAnnotatedTolerations(annotations: Annotations, path: string, errors: FieldError[]): void {
  const tolerations = read<readonly Toleration[]>(annotations, TOLERATIONS, path, errors);
  validateTolerations(tolerations ?? [], `${path}.${TOLERATIONS}`, errors);
}

/** The same for what a node keeps pods away with. */
export function validateNodeAnnotations(
  annotations: Annotations,
  validateTaints: (taints: readonly Taint[], path: string, errors: FieldError[]) => void,
  path: string,
  errors: FieldError[],
): void {
  const taints = read<readonly Taint[]>(annotations, TAINTS, path, errors);
  validateTaints(taints ?? [], `${path}.${TAINTS}`, errors);
  const avoided = read<AvoidedPods>(annotations, AVOIDED_PODS, `${path}.AvoidPods`, errors);
  for (const [index, { podSignature }] of (avoided?.preferAvoidPods ?? []).entries()) {
    const at = `${path}.${AVOIDED_PODS}[${index}].PodSignature`;
    const controller = podSignature?.podController;
    if (controller === undefined) errors.push(requiredField(at));
    else if (controller.controller !== true)
      errors.push(invalidField(`${at}.PodController.Controller`, false, "must point to a controller"));
  }
}

function read<T>(annotations: Annotations, key: string, field: string, errors: FieldError[]): T | undefined {
  const text = annotations?.[key];
  if (!text) return undefined;
  try {
    return (parseJson(text).value ?? undefined) as T | undefined;
  } catch (error) {
    errors.push(invalidField(field, key, (error as Error).message));
    return undefined;
  }
}
