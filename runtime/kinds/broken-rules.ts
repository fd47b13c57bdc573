import type { ApiObject } from "../contract/api-object.ts";
import type { FieldError } from "../contract/field-error.ts";
import { StatusError } from "../contract/status.ts";
import { invalid } from "../values/status-errors.ts";
import type { LoadedHooks } from "./loaded-hooks.ts";

/** A version of a kind with the rules that it declares. */
export interface RuledVersion {
  readonly group: string;
  readonly kind: string;
  readonly schema: { validate(object: ApiObject): FieldError[] };
}

/**
 * Calls code of a project with an object that is not validated yet, although the type of the object promises what validation ensures, such as
 * required fields. If the code fails and the object breaks rules, the client is told about those.
 */
export function withUnvalidated<Result>(version: RuledVersion, object: ApiObject, run: () => Result): Result {
  const refuse = (error: unknown): never => {
    const errors = error instanceof StatusError ? [] : version.schema.validate(object);
    throw errors.length === 0 ? error : invalid(version, object.metadata?.name ?? "", errors);
  };
  try {
    const result = run();
    return result instanceof Promise ? (result.catch(refuse) as Result) : result;
  } catch (error) {
    return refuse(error);
  }
}

type Hook<Rest extends unknown[], Result> = ((object: ApiObject, ...rest: Rest) => Result) | undefined;

/** The hooks of an own kind that are called before validation, or beside it. */
export function hooksOfUnvalidated(hooks: LoadedHooks, version: RuledVersion): LoadedHooks {
  const guarded = <Rest extends unknown[], Result>(name: string, hook: Hook<Rest, Result>) =>
    hook && {
      [name]: (object: ApiObject, ...rest: Rest) => withUnvalidated(version, object, () => hook(object, ...rest)),
    };
  const { validation, lifecycle } = hooks;
  return {
    ...hooks,
    ...guarded("default", hooks.default),
    ...guarded("prepare", hooks.prepare),
    ...guarded("validate", hooks.validate),
    ...(validation && { validation: { ...validation, ...guarded("update", validation.update) } }),
    ...(lifecycle && {
      lifecycle: {
        ...lifecycle,
        ...guarded("prepareForCreate", lifecycle.prepareForCreate),
        ...guarded("prepareForUpdate", lifecycle.prepareForUpdate),
      },
    }),
  };
}
