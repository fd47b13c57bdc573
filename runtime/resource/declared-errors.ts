import type { ApiObject } from "../contract/api-object.ts";
import type { FieldError } from "../contract/field-error.ts";
import type { HookContext } from "../contract/kind-hooks.ts";
import type { ServedResource } from "../kinds/served-resource.ts";

/** A kind, as a request names it. */
export type ValidatedKind = Pick<ServedResource, "stored" | "ownErrors">;

/**
 * Errors of the declared rules of a kind: of the version of the request, if that is one of its own, and of the stored version. If some rules also exist as handwritten code, both run while the gate
 * `DeclarativeValidation` is on and are compared; `DeclarativeValidationTakeover` decides which errors are used.
 */
export function declaredErrors(
  { stored: kind, ownErrors }: ValidatedKind,
  object: ApiObject,
  old: ApiObject | undefined,
  context: HookContext,
): FieldError[] {
  const { hooks, schema } = kind;
  const declared = (): FieldError[] => {
    const errors = old === undefined ? schema.validate(object) : schema.validateUpdate(object, old);
    return ownErrors === undefined ? errors : joined(ownErrors(object, old), errors);
  };
  if (hooks.compatibility?.validateByHand === undefined) return declared();
  const byHand = hooks.compatibility?.validateByHand(object, old);
  const all = declared();
  const isByHand = ({ field }: FieldError) =>
    hooks.compatibility?.fieldsByHand === undefined || hooks.compatibility?.fieldsByHand.includes(field);
  const others = all.filter((error) => !isByHand(error));
  if (!context.featureEnabled("DeclarativeValidation")) return [...byHand, ...others];
  for (const problem of mismatches(byHand, all.filter(isByHand))) {
    context.onMismatch?.(`${kind.gvk.kind} ${object.metadata.name ?? ""}: ${problem}`);
  }
  return context.featureEnabled("DeclarativeValidationTakeover") ? all : [...byHand, ...others];
}

/** Both, without errors that are in both: most versions declare the same rules. */
function joined(errors: FieldError[], others: readonly FieldError[]): FieldError[] {
  const known = new Set(errors.map(({ field, message }) => `${field}: ${message}`));
  return [...errors, ...others.filter(({ field, message }) => !known.has(`${field}: ${message}`))];
}

/** Errors that only one side has; ignores the order. */
function mismatches(byHand: readonly FieldError[], declared: readonly FieldError[]): string[] {
  const key = ({ field, reason }: FieldError): string => `${field}: ${reason}`;
  const [hand, rules] = [new Set(byHand.map(key)), new Set(declared.map(key))];
  return [
    ...[...hand].filter((one) => !rules.has(one)).map((one) => `only the code by hand refuses ${one}`),
    ...[...rules].filter((one) => !hand.has(one)).map((one) => `only the declared rules refuse ${one}`),
  ];
}
