import type { ApiObject } from "../contract/api-object.ts";
import type { FieldError } from "../contract/field-error.ts";
import type { HookContext } from "../contract/kind-hooks.ts";
import type { StoredKind } from "../kinds/served-resource.ts";

/**
 * Errors of the declared rules of a kind. If some rules also exist as handwritten code, both run while the gate
 * `DeclarativeValidation` is on and are compared; `DeclarativeValidationTakeover` decides which errors are used.
 */
export function declaredErrors(
  kind: StoredKind,
  object: ApiObject,
  old: ApiObject | undefined,
  context: HookContext,
): FieldError[] {
  const { hooks, schema } = kind;
  const declared = (): FieldError[] =>
    old === undefined ? schema.validate(object) : schema.validateUpdate(object, old);
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

/** Errors that only one side has; ignores the order. */
function mismatches(byHand: readonly FieldError[], declared: readonly FieldError[]): string[] {
  const key = ({ field, reason }: FieldError): string => `${field}: ${reason}`;
  const [hand, rules] = [new Set(byHand.map(key)), new Set(declared.map(key))];
  return [
    ...[...hand].filter((one) => !rules.has(one)).map((one) => `only the code by hand refuses ${one}`),
    ...[...rules].filter((one) => !hand.has(one)).map((one) => `only the declared rules refuse ${one}`),
  ];
}
