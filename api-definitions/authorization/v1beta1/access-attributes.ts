import type { OmitZero } from "../../vocabulary.ts";
import type { FieldSelectorAttributes, LabelSelectorAttributes } from "../v1/access-attributes.ts";

/** Something done outside the API. */
export interface NonResourceAttributes {
  /** The path. */
  path?: string & OmitZero;
  /** What is done. */
  verb?: string & OmitZero;
}

/** Something done with a resource. */
export interface ResourceAttributes {
  /** The namespace; all of them when empty. */
  namespace?: string & OmitZero;
  /** What is done. */
  verb?: string & OmitZero;
  /** Group of the resource. */
  group?: string & OmitZero;
  /** Version of the resource. */
  version?: string & OmitZero;
  /** The resource. */
  resource?: string & OmitZero;
  /** The subresource. */
  subresource?: string & OmitZero;
  /** Name of the object; all of them when empty. */
  name?: string & OmitZero;
  /** Only objects with these fields. */
  fieldSelector?: FieldSelectorAttributes;
  /** Only objects with these labels. */
  labelSelector?: LabelSelectorAttributes;
}
