import type { OmitZero } from "../../vocabulary.ts";
import type { FieldSelectorAttributes, LabelSelectorAttributes } from "../v1/access-attributes.ts";

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
