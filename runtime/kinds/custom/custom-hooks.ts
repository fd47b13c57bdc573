import type { ApiObject } from "../../contract/api-object.ts";
import { type FieldError, fieldErrorText } from "../../contract/field-error.ts";
import type { HookContext } from "../../contract/kind-hooks.ts";
import type { ColumnDescriptor } from "../../contract/resource-descriptor.ts";
import { goQuote } from "../../go/quote.ts";
import { holdsGivenFloat } from "../../go/source-notes.ts";
import { equalJson } from "../../lib/equal-json.ts";
import { checkQualifiedName } from "../../values/names.ts";
import type { LoadedHooks } from "../loaded-hooks.ts";
import { customCells } from "./custom-cells.ts";
import type { CustomValidation } from "./validation/validate-custom-object.ts";

export interface CustomHooksOptions {
  readonly validation: CustomValidation;
  readonly columns: readonly ColumnDescriptor[];
  readonly hasStatus: boolean;
}

/** The hooks of a custom kind, driven by its definition. */
export function customHooks({ validation, columns, hasStatus }: CustomHooksOptions): LoadedHooks {
  const warning =
    ({ warn }: HookContext) =>
    (error: FieldError) =>
      warn(fieldErrorText(error));
  return {
    validate: (object) => whenLoaded(validation, () => validation.create(object)),
    warn: (object, { old, subresource }) => (subresource === "status" ? [] : finalizerWarnings(object, old)),
    cells: customCells(columns),
    validation: {
      update: (object, old, context) => whenLoaded(validation, () => validation.update(object, old, warning(context))),
      subresources: {
        status: (object, old, context) =>
          whenLoaded(validation, () => validation.updateStatus(object, old, warning(context))),
      },
    },
    lifecycle: {
      raisesGeneration: (object, old) => changesGeneration(object, old, hasStatus),
      ...(hasStatus && { resetFields: { "": ["status"], status: ["spec"] } }),
    },
    compatibility: { order: { update: ["metadataAsChange", "declared", "update"] }, freeFinalizers: true },
  };
}

/** The first object with rules waits for CEL, which is loaded in several turns of the event loop. */
function whenLoaded(
  validation: CustomValidation,
  validate: () => FieldError[] | Promise<FieldError[]>,
): FieldError[] | Promise<FieldError[]> {
  const loading = validation.loading();
  return loading === undefined ? validate() : loading.then(validate);
}

/**
 * Changes of all fields raise the generation, except metadata, and status if it is a subresource. As in Kubernetes, so does `1.0` for a
 * stored `1`, although both are stored alike.
 */
function changesGeneration(object: ApiObject, old: ApiObject, hasStatus: boolean): boolean {
  const fields = new Set([...Object.keys(object), ...Object.keys(old)]);
  fields.delete("metadata");
  if (hasStatus) fields.delete("status");
  return [...fields].some((field) => {
    const [given, former] = [object[field], old[field]];
    return given !== former && (!equalJson(given, former) || holdsGivenFloat(given));
  });
}

const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

/** Finalizers with bad names are accepted for custom kinds, with a warning. */
function finalizerWarnings(object: ApiObject, old: ApiObject | undefined): string[] {
  const former = new Set(old?.metadata.finalizers ?? []);
  const added = [...new Set(object.metadata.finalizers ?? [])].filter((finalizer) => !former.has(finalizer)).sort();
  return added.flatMap((finalizer) => {
    const about = `metadata.finalizers: ${goQuote(finalizer)}: `;
    const warnings = checkQualifiedName(finalizer).map((problem) => about + problem);
    if (!finalizer.includes("/") && !STANDARD_FINALIZERS.has(finalizer)) {
      const path = finalizer.includes(".") ? " including a path (/)" : "";
      warnings.push(
        `${about}prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
      );
    }
    return warnings;
  });
}
