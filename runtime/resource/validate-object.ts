import type { ApiObject } from "../contract/api-object.ts";
import type { FieldError } from "../contract/field-error.ts";
import type { CheckName as Check, UpdateCheck } from "../contract/kind-hooks.ts";
import type { WriteContext } from "../kinds/loaded-hooks.ts";
import type { StoredKind } from "../kinds/served-resource.ts";
import { atOnce, inTurns, type Steps } from "../lib/in-turns.ts";
import {
  type CheckName,
  validateBesidesNames,
  validateFinalizerNames,
  validateMetadata,
  validateMetadataUpdate,
  validateNames,
} from "../schema/validate-metadata.ts";
import { untilEnough } from "../values/field-errors.ts";
import { checkPathSegment, checkPathSegmentPrefix, checkSubdomain, maskTrailingDash } from "../values/names.ts";
import { invalid } from "../values/status-errors.ts";
import { declaredErrors, type FieldOrder, inRequest, placeDeclared, type ValidatedKind } from "./declared-errors.ts";

const checkObjectName: CheckName = (name, isPrefix) => checkSubdomain(isPrefix ? maskTrailingDash(name) : name);
const checkAnyName: CheckName = (name, isPrefix) => (isPrefix ? checkPathSegmentPrefix(name) : checkPathSegment(name));

const CREATE_ORDER: readonly Check[] = ["declared", "validate"];
const UPDATE_ORDER: readonly Check[] = ["metadataAsNew", "metadataAsChange", "declared", "update"];
const SUBRESOURCE_ORDER: readonly Check[] = ["metadataAsChange", "declared", "update"];

type Errors = readonly FieldError[];

/**
 * Throws all validation errors of a new object. Returns a promise only if hooks read other objects, or if the object is large: each check
 * then runs in its own turn of the event loop.
 */
export function validateCreation(
  resource: ValidatedKind,
  object: ApiObject,
  context: WriteContext,
  isLarge: boolean,
): Promise<void> | undefined {
  const steps = checkCreation(resource, object, context);
  return isLarge ? inTurns(steps).then((checked) => checked) : atOnce(steps);
}

function* checkCreation(
  resource: ValidatedKind,
  object: ApiObject,
  context: WriteContext,
): Steps<Promise<void> | undefined> {
  const { stored: kind } = resource;
  const { hooks } = kind;
  const ofMetadata = [
    ...validateMetadata(object.metadata, kind.namespaced, hooks.validation?.name ?? checkObjectName),
    ...(hooks.compatibility?.freeFinalizers === true ? [] : validateFinalizerNames(object.metadata)),
  ];
  yield;
  const declared = declaredErrors(resource, object, undefined, context);
  const order = hooks.compatibility?.order?.create?.(object, context) ?? CREATE_ORDER;
  const lists: (Errors | Promise<Errors>)[] = [];
  for (const check of order) {
    yield;
    if (typeof check === "function") lists.push(untilEnough(() => check(object, context)));
    else if (check === "metadataAsNew") lists.push(validateBesidesNames(object.metadata, kind.namespaced));
    else lists.push(check === "validate" ? untilEnough(() => hooks.validate?.(object, context) ?? []) : []);
  }
  yield;
  return whenChecked(resource, { order, fields: hooks.compatibility?.order?.fields }, lists, declared, (others) => {
    if (hooks.compatibility?.checksMetadataLast === true) refuse(kind, object, others);
    refuse(kind, object, [...ofMetadata, ...others]);
    refuse(kind, object, validateNames(object.metadata, checkAnyName));
  });
}

/**
 * Throws all validation errors of an update. As in Kubernetes, metadata errors are reported once as for any update, and again for each
 * check of the kind. Returns a promise only if hooks read other objects, or if one of the objects is large.
 */
export function validateChange(
  resource: ValidatedKind,
  object: ApiObject,
  old: ApiObject,
  context: WriteContext,
  isLarge: boolean,
): Promise<void> | undefined {
  const steps = checkChange(resource, object, old, context);
  return isLarge ? inTurns(steps).then((checked) => checked) : atOnce(steps);
}

function* checkChange(
  resource: ValidatedKind,
  object: ApiObject,
  old: ApiObject,
  context: WriteContext,
): Steps<Promise<void> | undefined> {
  const { stored: kind } = resource;
  const { hooks } = kind;
  const { subresource } = context;
  const finalizerNames = hooks.compatibility?.freeFinalizers === true ? [] : validateFinalizerNames(object.metadata);
  const besidesNames = validateBesidesNames(object.metadata, kind.namespaced);
  yield;
  const ofChange = validateMetadataUpdate(object.metadata, old.metadata);
  yield;
  const declared = declaredErrors(resource, object, old, context);
  const validate = () => hooks.validate?.(object, context) ?? [];
  const update = () => {
    const specific = subresource === undefined ? undefined : hooks.validation?.subresources?.[subresource];
    const own = specific ?? hooks.validation?.update;
    return own === undefined ? validate() : own(object, old, context);
  };
  const checked = (check: UpdateCheck<ApiObject>): Errors | Promise<Errors> => {
    if (typeof check === "function") return check(object, old, context);
    switch (check) {
      case "metadataAsNew":
        return [
          ...validateNames(object.metadata, hooks.validation?.name ?? checkObjectName),
          ...besidesNames,
          ...finalizerNames,
        ];
      case "metadataAsChange":
        return [...ofChange, ...finalizerNames];
      case "declared":
        return [];
      case "validate":
        return validate();
      case "update":
        return update();
    }
  };
  const order = updateOrder(kind, object, old, context);
  const lists: (Errors | Promise<Errors>)[] = [];
  for (const check of order) {
    yield;
    lists.push(untilEnough(() => checked(check)));
  }
  yield;
  const fields = hooks.compatibility?.order?.fields;
  return whenChecked(resource, { order, fields }, lists, declared, (others) =>
    refuse(kind, object, [...validateNames(object.metadata, checkAnyName), ...besidesNames, ...ofChange, ...others]),
  );
}

function updateOrder(
  { hooks }: StoredKind,
  object: ApiObject,
  old: ApiObject,
  context: WriteContext,
): readonly UpdateCheck<ApiObject>[] {
  const declared = hooks.compatibility?.order;
  const { subresource } = context;
  let order = declared?.update;
  if (subresource !== undefined) {
    const hasHook = hooks.validation?.subresources?.[subresource] !== undefined;
    const others = hasHook ? undefined : declared?.update;
    order = declared?.subresources?.[subresource] ?? declared?.subresources?.["*"] ?? others ?? SUBRESOURCE_ORDER;
  }
  order ??= UPDATE_ORDER;
  return typeof order === "function" ? order(object, old, context) : order;
}

/** Passes the errors of all checks to `next`, in order, once all have finished. Hooks use the field names of the stored version. */
function whenChecked(
  resource: ValidatedKind,
  { order, fields }: { order: readonly (string | ((...args: never) => unknown))[]; fields: FieldOrder | undefined },
  lists: readonly (Errors | Promise<Errors>)[],
  declared: Errors,
  next: (errors: Errors) => void,
): Promise<void> | undefined {
  const finish = (all: readonly Errors[]) => {
    const { place, others } = placeDeclared(declared, fields);
    next(
      all.flatMap((found, index) => {
        if (order[index] === "declared") return others;
        const errors = inRequest(resource, found);
        return order[index] === "validate" || order[index] === "update" ? place(errors) : errors;
      }),
    );
  };
  if (lists.some((errors) => errors instanceof Promise)) return Promise.all(lists).then(finish);
  finish(lists as readonly Errors[]);
  return undefined;
}

function refuse(kind: StoredKind, object: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) {
    throw invalid(kind.gvk, object.metadata.name ?? "", errors);
  }
}
