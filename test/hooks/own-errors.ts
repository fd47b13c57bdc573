import type { FieldError } from "../../runtime/contract/field-error.ts";
import type { HookContext, KindHooks } from "../../runtime/contract/kind-hooks.ts";

/**
 * Returns the errors that the hooks of a kind find in an object, in the order in which clients see them. Leaves out errors that the server
 * itself finds, and those for which hooks must read other objects.
 */
export function ownErrors<T, Reads>(
  readingHooks: KindHooks<T, Reads>,
  object: T,
  context: HookContext<T>,
): FieldError[] {
  const hooks = readingHooks as unknown as KindHooks<T>;
  const { old, subresource } = context;
  const order = hooks.compatibility?.order;
  const validate = () => hooks.validate?.(object, context) ?? [];
  if (old === undefined) {
    const checks = order?.create?.(object, context) ?? ["validate"];
    return checks.flatMap((check) =>
      typeof check === "function" ? check(object, context) : check === "validate" ? validate() : [],
    );
  }
  const specific = subresource === undefined ? undefined : hooks.validation?.subresources?.[subresource];
  const update = specific ?? hooks.validation?.update;
  const listed =
    subresource === undefined
      ? order?.update
      : (order?.subresources?.[subresource] ?? order?.subresources?.["*"] ?? (specific ? undefined : order?.update));
  const checks = typeof listed === "function" ? listed(object, old, context) : (listed ?? ["update"]);
  return checks.flatMap((check) => {
    // Of the checks that are functions, only those of CustomResourceDefinitions return promises.
    if (typeof check === "function") return check(object, old, context) as FieldError[];
    if (check === "validate") return validate();
    return check !== "update" ? [] : update === undefined ? validate() : update(object, old, context);
  });
}
