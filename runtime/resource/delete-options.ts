import type { FieldError } from "../contract/field-error.ts";
import type { PropagationPolicy } from "../contract/object-access.ts";
import { goQuote } from "../go/quote.ts";
import { append } from "../lib/append.ts";
import { invalidField, unsupportedField } from "../values/field-errors.ts";

const POLICIES: readonly PropagationPolicy[] = ["Foreground", "Background", "Orphan"];

/** The options of a delete request that the server supports. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: PropagationPolicy;
  readonly dryRun?: readonly string[];
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

export function validateDeleteOptions(options: DeleteOptions): FieldError[] {
  const errors: FieldError[] = [];
  const { orphanDependents, propagationPolicy } = options;
  if (orphanDependents !== undefined && propagationPolicy !== undefined) {
    errors.push(
      invalidField(
        "propagationPolicy",
        propagationPolicy,
        "orphanDependents and deletionPropagation cannot be both set",
      ),
    );
  }
  if (propagationPolicy !== undefined && !POLICIES.includes(propagationPolicy)) {
    errors.push(unsupportedField("propagationPolicy", propagationPolicy, [...POLICIES, "nil"]));
  }
  append(errors, validateDryRun(options.dryRun ?? []));
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential === true) {
    errors.push(...validateForcedDeletion(options));
  }
  return errors;
}

/** Of more values than this, a message has the number of the others. */
const MOST_SHOWN = 10_000;

/** Only the value `All` is allowed. */
export function validateDryRun(values: readonly string[]): FieldError[] {
  if (values.every((value) => value === "All")) {
    return [];
  }
  const quoted = values.slice(0, MOST_SHOWN).map(goQuote);
  if (values.length > MOST_SHOWN) quoted.push(`and ${values.length - MOST_SHOWN} more`);
  const shown = `[]string{${quoted.join(", ")}}`;
  return [
    {
      field: "dryRun",
      reason: "FieldValueNotSupported",
      message: `Unsupported value: ${shown}: supported values: "All"`,
    },
  ];
}

/** The option to delete an unreadable object excludes all others. */
function validateForcedDeletion(options: DeleteOptions): FieldError[] {
  const field = "ignoreStoreReadErrorWithClusterBreakingPotential";
  const others = ["dryRun", "propagationPolicy", "orphanDependents", "gracePeriodSeconds", "preconditions"] as const;
  return others
    .filter((other) => options[other] !== undefined && !(other === "dryRun" && options.dryRun?.length === 0))
    .map((other) => invalidField(field, true, `cannot be set together with .${other}`));
}
