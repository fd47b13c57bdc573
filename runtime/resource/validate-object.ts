import type { ApiObject } from "../contract/api-object.ts";
import type { FieldError } from "../contract/field-error.ts";
import type { UpdateChecks } from "../contract/kind-hooks.ts";
import { METADATA_AS_NEW, standsForAll, withFindings } from "../contract/update-order.ts";
import type { WriteContext } from "../kinds/loaded-hooks.ts";
import type { StoredKind } from "../kinds/served-resource.ts";
import {
  type CheckName,
  validateBesidesNames,
  validateFinalizerNames,
  validateMetadata,
  validateMetadataUpdate,
  validateNames,
} from "../schema/validate-metadata.ts";
import { checkPathSegment, checkPathSegmentPrefix, checkSubdomain, maskTrailingDash } from "../values/names.ts";
import { invalid } from "../values/status-errors.ts";
import { declaredErrors } from "./declared-errors.ts";

const checkObjectName: CheckName = (name, isPrefix) => checkSubdomain(isPrefix ? maskTrailingDash(name) : name);
const checkAnyName: CheckName = (name, isPrefix) => (isPrefix ? checkPathSegmentPrefix(name) : checkPathSegment(name));

/** Refuses a new object that breaks a rule, with every rule it breaks. A promise only where hooks read other objects. */
export function validateCreation(
  kind: StoredKind,
  object: ApiObject,
  context: WriteContext,
): Promise<void> | undefined {
  const own = kind.hooks.validate?.(object, context) ?? [];
  if (own instanceof Promise) return own.then((errors) => refuseCreation(kind, object, errors, context));
  refuseCreation(kind, object, own, context);
  return undefined;
}

function refuseCreation(kind: StoredKind, object: ApiObject, own: readonly FieldError[], context: WriteContext): void {
  const { hooks } = kind;
  const ofMetadata = [
    ...validateMetadata(object.metadata, kind.namespaced, hooks.validation?.name ?? checkObjectName),
    ...(hooks.compatibility?.freeFinalizers === true ? [] : validateFinalizerNames(object.metadata)),
  ];
  const declared = declaredErrors(kind, object, undefined, context);
  const asNew = own.includes(METADATA_AS_NEW) ? validateBesidesNames(object.metadata, kind.namespaced) : [];
  const others = own.length === 0 ? declared : withFindings(own, { asNew, asChange: [], declared });
  if (hooks.compatibility?.checksMetadataLast === true) refuse(kind, object, others);
  refuse(kind, object, [...ofMetadata, ...others]);
  refuse(kind, object, validateNames(object.metadata, checkAnyName));
}

/**
 * Refuses a change that breaks a rule. What is wrong with metadata is told again and again: as for any object and any
 * update, once for all kinds and as often as this one checks it; clients of Kubernetes see it so.
 */
export function validateChange(
  kind: StoredKind,
  object: ApiObject,
  old: ApiObject,
  context: WriteContext,
): Promise<void> | undefined {
  const { validate, validation } = kind.hooks;
  const specific = context.subresource === undefined ? undefined : validation?.subresources?.[context.subresource];
  const update = specific ?? validation?.update;
  const own = (update === undefined ? validate?.(object, context) : update(object, old, context)) ?? [];
  if (own instanceof Promise) return own.then((errors) => refuseChange(kind, object, old, errors, context));
  refuseChange(kind, object, old, own, context);
  return undefined;
}

function refuseChange(
  kind: StoredKind,
  object: ApiObject,
  old: ApiObject,
  own: readonly FieldError[],
  context: WriteContext,
): void {
  const { hooks } = kind;
  const { asNew, asChange } = updateChecks(kind, context);
  const finalizerNames = hooks.compatibility?.freeFinalizers === true ? [] : validateFinalizerNames(object.metadata);
  const besidesNames = validateBesidesNames(object.metadata, kind.namespaced);
  const ofNew = [
    ...validateNames(object.metadata, hooks.validation?.name ?? checkObjectName),
    ...besidesNames,
    ...finalizerNames,
  ];
  const ofChange = validateMetadataUpdate(object.metadata, old.metadata);
  const declared = declaredErrors(kind, object, old, context);
  const findings = { asNew: ofNew, asChange: [...ofChange, ...finalizerNames], declared };
  refuse(kind, object, [
    ...validateNames(object.metadata, checkAnyName),
    ...besidesNames,
    ...ofChange,
    ...(own.some(standsForAll)
      ? withFindings(own, findings)
      : [
          ...repeat(asNew, findings.asNew),
          ...repeat(asChange, findings.asChange),
          ...(own.length === 0 || hooks.compatibility?.declaredLast === true
            ? [...own, ...declared]
            : withFindings(own, findings)),
        ]),
  ]);
}

function updateChecks({ hooks }: StoredKind, context: WriteContext): Required<UpdateChecks> {
  const own = hooks.compatibility?.updateChecks;
  const defaults = { asNew: context.subresource === undefined ? 1 : 0, asChange: 1 } as const;
  if (typeof own === "function") return { ...defaults, ...own(context) };
  return context.subresource === undefined ? { ...defaults, ...own } : defaults;
}

function repeat(times: number, errors: readonly FieldError[]): readonly FieldError[] {
  if (errors.length === 0) return errors;
  return Array.from({ length: times }, () => errors).flat();
}

function refuse(kind: StoredKind, object: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) {
    throw invalid(kind.gvk, object.metadata.name ?? "", errors);
  }
}
