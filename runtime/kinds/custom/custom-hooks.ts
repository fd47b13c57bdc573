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

/** Creates the hooks of a custom kind from its definition. */
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

/** Delays the first validation that evaluates rules until CEL is loaded, which takes several turns of the event loop. */
function whenLoaded(
  validation: CustomValidation,
  validate: () => FieldError[] | Promise<FieldError[]>,
): FieldError[] | Promise<FieldError[]> {
  const loading = validation.loading();
  return loading === undefined ? validate() : loading.then(validate);
}

/**
 * Whether an update raises the generation: changes of all fields do, except metadata, and status if it is a subresource. As in Kubernetes,
 * `1.0` for a stored `1` counts as a change, although both have the same stored form.
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

/** Warnings for new finalizers with invalid names, which custom kinds accept. */
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
