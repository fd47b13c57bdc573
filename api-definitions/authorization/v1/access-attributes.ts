import type { FieldSelectorRequirement } from "../../meta/v1/field-selector.ts";
import type { LabelSelectorRequirement } from "../../meta/v1/label-selector.ts";
import type { ListAtomic, OmitZero } from "../../vocabulary.ts";

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

/** Objects by field. */
export interface FieldSelectorAttributes {
  /** As text. */
  rawSelector?: string & OmitZero;
  /** As demands that must all hold. */
  requirements?: ListAtomic<FieldSelectorRequirement>;
}

/** Objects by label. */
export interface LabelSelectorAttributes {
  /** As text. */
  rawSelector?: string & OmitZero;
  /** As demands that must all hold. */
  requirements?: ListAtomic<LabelSelectorRequirement>;
}
