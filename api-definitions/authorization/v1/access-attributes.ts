import type { FieldSelectorRequirement } from "../../meta/v1/field-selector.ts";
import type { LabelSelectorRequirement } from "../../meta/v1/label-selector.ts";
import type { ListAtomic, OmitZero } from "../../vocabulary.ts";

export interface NonResourceAttributes {
  path?: string & OmitZero;
  verb?: string & OmitZero;
}

export interface ResourceAttributes {
  namespace?: string & OmitZero;
  verb?: string & OmitZero;
  group?: string & OmitZero;
  version?: string & OmitZero;
  resource?: string & OmitZero;
  subresource?: string & OmitZero;
  name?: string & OmitZero;
  fieldSelector?: FieldSelectorAttributes;
  labelSelector?: LabelSelectorAttributes;
}

export interface FieldSelectorAttributes {
  rawSelector?: string & OmitZero;
  requirements?: ListAtomic<FieldSelectorRequirement>;
}

export interface LabelSelectorAttributes {
  rawSelector?: string & OmitZero;
  requirements?: ListAtomic<LabelSelectorRequirement>;
}
