import type { OmitZero, Since } from "../../vocabulary.ts";
import type { FieldSelectorAttributes, LabelSelectorAttributes } from "../v1/access-attributes.ts";

/** An action on a path outside the resources of the API. */
export interface NonResourceAttributes {
  /** URL path of the request, such as `/healthz`. */
  path?: string & OmitZero;
  /** HTTP method in lower case, such as `get`. */
  verb?: string & OmitZero;
}

/** An action on a resource. */
export interface ResourceAttributes {
  /**
   * Namespace of the action. Empty stands for all namespaces, or for a cluster-scoped resource. Required in a
   * LocalSubjectAccessReview.
   */
  namespace?: string & OmitZero;
  /**
   * API verb, such as `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `deletecollection`. `*` asks for
   * all verbs.
   */
  verb?: string & OmitZero;
  /** API group of the resource. Empty stands for the core group, `*` for all groups. */
  group?: string & OmitZero;
  /** API version of the resource. Defaults to `*`, which stands for all versions. RBAC does not use it. */
  version?: string & OmitZero;
  /** Plural name of the resource, such as `pods`. `*` stands for all resources. */
  resource?: string & OmitZero;
  /** Subresource, such as `log` or `status`. Empty stands for the resource itself. */
  subresource?: string & OmitZero;
  /**
   * Name of the object. Empty for a `list` or `create` request means that no name is given, otherwise it stands for all
   * objects.
   */
  name?: string & OmitZero;
  /**
   * Limits the action to objects whose fields match. Authorizers that support it can allow a limited action that they
   * would not allow otherwise. Ignored if the feature gate `AuthorizeWithSelectors` is off.
   */
  fieldSelector?: FieldSelectorAttributes & Since<"1.31">;
  /**
   * Limits the action to objects whose labels match. Authorizers that support it can allow a limited action that they
   * would not allow otherwise. Ignored if the feature gate `AuthorizeWithSelectors` is off.
   */
  labelSelector?: LabelSelectorAttributes & Since<"1.31">;
}
